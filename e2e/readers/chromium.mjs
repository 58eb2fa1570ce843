// Opens the pages of a server in Chromium and tells what stands in its documents.
//
//	node chromium.mjs CHROMIUM scripted|unscripted < pages > documents
//
// A page is a line of JSON: {"url", "html"}; what is no HTML is fetched by a document, not opened. The answers are lines of
// JSON in the order of the questions: {"status", "header": [one text for each X-Robots-Tag line], "metas": [{"head", "name",
// "content"}]}. A redirect of the server is followed.
import { text } from 'node:stream/consumers'
import puppeteer from 'puppeteer-core'

const tabs = 4
const opensWithin = 60_000 // milliseconds

const [executablePath, scripting] = process.argv.slice(2)
const questions = (await text(process.stdin)).split('\n').filter(Boolean).map((line) => JSON.parse(line))
const answers = []
const flags = [
  '--no-sandbox', '--disable-background-networking', '--disable-features=BackForwardCache',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // nothing is fetched from elsewhere
]
const browser = await puppeteer.launch({ executablePath, args: flags })

// metas runs in the document. What is in a template or a shadow tree is not found.
const metas = () => [...document.querySelectorAll('meta[name]')]
  .filter((m) => m.namespaceURI === 'http://www.w3.org/1999/xhtml')
  .map((m) => ({ head: m.closest('head') !== null, name: m.getAttribute('name'), content: m.getAttribute('content') }))

// A script may take the tags of the head out before it puts its own there: those that a site's framework loads late.
const rendered = scripting === 'scripted' ? ['load', 'networkidle0'] : 'load'

let next = 0
async function work() {
  const page = await browser.newPage()
  await page.setJavaScriptEnabled(scripting === 'scripted')
  page.setDefaultTimeout(opensWithin)
  const client = await page.createCDPSession()
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  let last // response to what was asked for
  client.on('Network.responseReceived', ({ type, response }) => {
    if (type === 'Document' || type === 'Fetch') last = response
  })
  let opened = false
  while (next < questions.length) {
    const n = next++
    const { url, html } = questions[n]
    let found = []
    if (html) {
      last = undefined
      await page.goto(url, { waitUntil: rendered })
      found = await page.evaluate(metas)
      opened = true
    } else {
      // A document of the same host, since another's headers are hidden.
      if (!opened || new URL(page.url()).origin !== new URL(url).origin) await page.goto(new URL('/', url).href, { waitUntil: 'domcontentloaded' })
      opened = true
      last = undefined
      await page.evaluate(async (address) => (await (await fetch(address, { cache: 'no-store' })).arrayBuffer()).byteLength, url)
    }
    const header = Object.entries(last.headers).filter(([name]) => name.toLowerCase() === 'x-robots-tag').flatMap(([, value]) => value.split('\n'))
    answers[n] = { status: last.status, header, metas: found }
  }
}

try {
  await Promise.all(Array.from({ length: tabs }, work))
  process.stdout.write(answers.map((a) => JSON.stringify(a) + '\n').join(''))
} finally {
  await browser.close()
}
