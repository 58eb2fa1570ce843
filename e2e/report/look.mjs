// Looks at a report in Chromium, does what a reader does, and prints what it saw as JSON.
//
//	node look.mjs CHROMIUM PAGE [SCREENSHOTS]
//
// PAGE is an HTML file. With a folder SCREENSHOTS it leaves pictures there: light, dark, narrow, without scripting.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [executablePath, file, shots] = process.argv.slice(2)
const url = pathToFileURL(resolve(file)).href
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const desk = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }

const seen = { console: [], requests: [], dialogs: [], faults: [] }
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
if (shots) mkdirSync(shots, { recursive: true })

// look opens the page in a window of its own and lets a reader at it.
const look = async (name, options, reader) => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('console', (m) => seen.console.push(`${name}: ${m.type()}: ${m.text()}`))
  page.on('pageerror', (e) => seen.console.push(`${name}: ${e}`))
  page.on('dialog', (d) => (seen.dialogs.push(`${name}: ${d.message()}`), d.dismiss()))
  page.on('request', (r) => r.url().split('#')[0] !== url && !r.url().startsWith('data:') && seen.requests.push(`${name}: ${r.url()}`))
  await page.goto(url)
  const answer = await reader(page)
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: (await page.evaluate(() => document.body.scrollHeight)) < 15_000 })
  await context.close()
  return answer
}

// faults collects what axe finds serious.
const faults = async (name, page) => {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }))
  for (const v of violations) {
    if (v.impact === 'serious' || v.impact === 'critical') seen.faults.push(`${name}: ${v.id}: ${v.help}: ${v.nodes.map((n) => n.html).slice(0, 3).join(' ')}`)
  }
}

const rows = (page) => page.locator('#table tr.file').count()
const count = (page) => page.locator('#count').textContent()
const addresses = (page) => page.locator('#table .open').allTextContents()
const focus = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.textContent)

// Without scripting: every file stands in a table, and nothing is offered that does not work.
seen.unscripted = await look('unscripted', { viewport: desk, javaScriptEnabled: false }, async (page) => ({
  rows: await page.locator('.chunk tbody tr').count(),
  visible: await page.locator('.chunk tbody tr').first().isVisible(),
  form: await page.locator('#filters').isVisible(),
  first: await page.locator('.chunk tbody tr').first().textContent(),
}))

seen.light = await look('light', { viewport: desk, colorScheme: 'light' }, async (page) => {
  const light = { rows: await rows(page), count: await count(page), filters: {}, text: {} }
  // Every value of every filter, with the number that it promises and the number that it gives.
  for (const select of await page.locator('.selects select').all()) {
    const name = (await select.getAttribute('id')).replace('filter-', '')
    light.filters[name] = {}
    for (const option of (await select.locator('option').all()).slice(1)) {
      const label = await option.textContent()
      await select.selectOption(await option.getAttribute('value'), { force: true })
      light.filters[name][label] = await count(page)
    }
    await select.selectOption('', { force: true })
  }
  // What is downloaded of the rows that a search leaves.
  await page.locator('#search').fill('imprint')
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download').click()])
  light.csv = readFileSync(await download.path(), 'utf8')
  await page.locator('#search').fill('')
  // What the open rows say.
  for (const row of (await page.locator('#table tr.file').all()).slice(0, 50)) {
    const button = row.locator('.open')
    await button.evaluate((b) => b.click())
    light.text[await button.textContent()] = await row.locator('xpath=following-sibling::tr[1]').innerText()
  }
  await faults('light', page)
  light.background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  // On paper.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  light.printed = await rows(page)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  light.afterwards = await rows(page)
  return light
})

seen.dark = await look('dark', { viewport: desk, colorScheme: 'dark' }, async (page) => {
  await page.locator('.open').first().click()
  await faults('dark', page)
  return { background: await page.evaluate(() => getComputedStyle(document.body).backgroundColor) }
})

seen.narrow = await look('narrow', { viewport: phone }, async (page) => {
  await page.locator('.open').first().click()
  await faults('narrow', page)
  return page.evaluate(() => ({ width: document.documentElement.scrollWidth, figures: document.querySelector('.numbers').offsetHeight, roles: [...new Set([...document.querySelectorAll('#table tr.file *')].map((e) => e.role).filter(Boolean))] }))
})

// By keyboard alone: the search, a filter, a row, the next rows, and back.
seen.keyboard = await look('keyboard', { viewport: desk }, async (page) => {
  const keyboard = {}
  const tabTo = async (id, most = 40) => {
    for (let i = 0; i < most; i++) {
      if ((await focus(page)) === id) return true
      await page.keyboard.press('Tab')
    }
    return false
  }
  await page.keyboard.press('/')
  keyboard.slash = await focus(page)
  await page.keyboard.type('imprint')
  keyboard.found = await addresses(page)
  keyboard.address = new URL(page.url()).hash
  await page.keyboard.press('Escape')
  keyboard.cleared = await count(page)
  keyboard.decision = await tabTo('filter-decision')
  await page.keyboard.press('n') // the option that begins so
  keyboard.chosen = await page.locator('#filter-decision option:checked').textContent()
  keyboard.filtered = await count(page)
  const first = (await addresses(page))[0]
  keyboard.row = await tabTo(first)
  await page.keyboard.press('Enter')
  keyboard.opened = await page.locator('.trail-row').count()
  keyboard.expanded = await page.evaluate(() => document.activeElement.getAttribute('aria-expanded'))
  await page.keyboard.press('Space')
  keyboard.closed = await page.locator('.trail-row').count()
  return keyboard
})

// A link that holds what is asked for leads to it, and the headline's numbers do.
seen.links = await look('links', { viewport: desk }, async (page) => {
  await page.goto(url + '#?search=imprint&decision=noindex')
  await page.reload()
  const linked = { found: await addresses(page), decision: await page.locator('#filter-decision option:checked').textContent() }
  // Each figure of files, by what it says, and how many rows a click on it leaves.
  linked.figures = {}
  for (const figure of await page.locator('.numbers a[data-class]').all()) {
    // The address changes before the page's own listener hears of it, which was there before this one.
    const heard = page.evaluate(() => new Promise((done) => addEventListener('hashchange', () => done(), { once: true })))
    await figure.click()
    await heard
    await page.waitForFunction((name) => location.hash === '#?decision=' + name, await figure.getAttribute('data-class'))
    linked.figures[await figure.locator('strong').textContent()] = await count(page)
  }
  await page.locator('button[type=reset]').click()
  linked.reset = await count(page)
  await page.locator('#table thead button', { hasText: 'Decision' }).click()
  linked.sorted = await page.locator('#table th[aria-sort]').textContent()
  linked.top = await page.locator('#table .badge').first().textContent()
  return linked
})

// How long it takes, in milliseconds: the median of several, since others use this machine too.
const times = { paint: [], filter: [] }
for (let i = 0; i < 3; i++) {
  await look('times', { viewport: desk }, async (page) => {
    const { paint, filter } = await page.evaluate(async () => {
      const settled = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      while (!performance.getEntriesByName('first-contentful-paint').length) await settled()
      await settled()
      const filter = []
      const ask = async (field, value, event) => {
        const start = performance.now()
        field.value = value
        field.dispatchEvent(new Event(event, { bubbles: true }))
        await settled()
        filter.push(performance.now() - start)
      }
      const search = document.getElementById('search')
      const decision = document.getElementById('filter-decision')
      for (const text of ['a', 'page', 'number 7', 'no such page', '']) await ask(search, text, 'input')
      for (const value of ['1', '2', '']) await ask(decision, value, 'change')
      return { paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, filter }
    })
    times.paint.push(paint)
    times.filter.push(...filter)
  })
}
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
seen.times = { paint: median(times.paint), filter: median(times.filter), slowest: Math.max(...times.filter) }

await browser.close()
console.log(JSON.stringify(seen))
