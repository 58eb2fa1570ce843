// Asks Lighthouse's audit is-crawlable. It needs Node 22.
//
//	node lighthouse.mjs audit < documents > blocked
//	node lighthouse.mjs run CHROMIUM < addresses > blocked
//
// audit takes documents as lines of JSON {"url", "metas": [{"head", "name", "content"}], "header": [one text for each
// X-Robots-Tag line]} and gives the audit's answer for each crawler that it knows; run takes {"url"} and has Lighthouse open
// each page in Chromium, which reads robots.txt too. An answer is a line of JSON with the crawlers that are kept away: "" for
// those without a name, "googlebot", "bingbot" …; null where Lighthouse could not audit the page.
import { createInterface } from 'node:readline'

const lines = async function* () {
  for await (const line of createInterface({ input: process.stdin })) yield JSON.parse(line)
}
const tell = (blocked) => process.stdout.write(JSON.stringify(blocked) + '\n')
const known = [undefined, 'Googlebot', 'bingbot', 'DuckDuckBot', 'archive.org_bot']
const named = (crawler) => (crawler ?? '').toLowerCase()

if (process.argv[2] === 'audit') {
  const { default: IsCrawlable } = await import('lighthouse/core/audits/seo/is-crawlable.js')
  for await (const { url, metas, header } of lines()) {
    // As the gatherer meta-elements collects them, and the network log has the main resource.
    const elements = metas.filter((m) => m.head).map((m) => ({ name: m.name.toLowerCase(), content: m.content ?? '', node: {} }))
    const resource = { url, responseHeaders: header.map((value) => ({ name: 'X-Robots-Tag', value })) }
    tell(known.filter((crawler) => IsCrawlable.determineIfCrawlableForUserAgent(crawler, resource, elements, undefined, undefined).length > 0).map(named))
  }
} else {
  const { default: lighthouse } = await import('lighthouse')
  const { default: puppeteer } = await import('puppeteer-core')
  const browser = await puppeteer.launch({ executablePath: process.argv[3], args: ['--no-sandbox', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'] })
  const config = {
    extends: 'lighthouse:default',
    settings: {
      onlyAudits: ['is-crawlable'], formFactor: 'desktop', screenEmulation: { disabled: true }, throttlingMethod: 'simulate',
      pauseAfterFcpMs: 0, pauseAfterLoadMs: 0, networkQuietThresholdMs: 0, cpuQuietThresholdMs: 0, maxWaitForFcp: 60_000, maxWaitForLoad: 60_000,
      disableFullPageScreenshot: true, disableStorageReset: true, skipAboutBlank: true,
    },
  }
  try {
    for await (const { url } of lines()) {
      const [page] = await browser.pages()
      const result = await lighthouse(url, { logLevel: 'silent' }, config, page)
      const audit = result.lhr.audits['is-crawlable']
      if (audit.score === null) {
        process.stderr.write(`${url}: ${audit.errorMessage ?? JSON.stringify(result.lhr.runtimeError)}\n`)
        tell(null)
      } else if (audit.score === 0) {
        tell(known.map(named))
      } else {
        const list = /crawling: (.*?)\. /.exec(audit.warnings?.join(' ') ?? '')?.[1] ?? ''
        tell(list.split(', ').filter(Boolean).map(named))
      }
    }
  } finally {
    await browser.close()
  }
}
