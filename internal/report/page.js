
// The table of files: search, filters, sorting, pages of rows, and the trail of a row. Text goes into the page as text
// alone, never as markup.
(() => {
  'use strict'

  const data = JSON.parse(document.getElementById('data').textContent)
  const byId = (id) => document.getElementById(id)
  const make = (tag, properties = {}, ...children) => {
    const e = Object.assign(document.createElement(tag), properties)
    e.append(...children)
    return e
  }
  const count = (n, noun) => n.toLocaleString('en') + ' ' + noun + (n === 1 ? '' : 's')

  // What the rows say, one list a field: filters run over numbers.
  const files = data.files.map((f, at) => {
    const [url, file, title, since, outcome, trail, verdicts, kind, type, section, language, format, findings] = f
    const [group, state, decided, crawlers, tags, header] = data.shared[outcome]
    const steps = data.shared[trail]
    const cause = steps.find((s) => s[4])
    return {
      at, url, file, title, since, group, state, decided, crawlers, tags, header, steps, cause, kind, type, section, language, format,
      asked: data.shared[verdicts], findings: findings || [],
      text: '', // what the search looks through, made when it is first asked
    }
  })

  const decoded = (url) => {
    try {
      return decodeURI(url)
    } catch {
      return url
    }
  }
  // placeOf is a place whose line number is never broken.
  const placeOf = (at) => {
    const [, file, line] = /^(.*?)(:\d+)?$/.exec(at)
    return line ? [file, make('span', { className: 'line', textContent: line })] : [file]
  }
  // pageOf is where a file is on the web, if that is known.
  const pageOf = (url) => {
    const folder = Object.keys(data.hosts).filter((f) => url.startsWith(f)).sort((a, b) => b.length - a.length)[0]
    const base = folder && data.hosts[folder]
    return /^https?:\/\//.test(base) ? base.replace(/\/$/, '') + url.slice(folder.length - 1) : ''
  }
  const causeOf = (f) => (f.cause ? f.cause[2] + (f.cause[3] && ': ' + f.cause[3]) : '')
  const crawlersOf = (f) => [...new Set([...f.crawlers, ...f.asked.filter((v) => !v[1]).map((v) => v[0])])]

  // A filter has a name, what it is called, its values of a file, and how a value is shown.
  const filters = [
    { name: 'decision', label: 'Decision', of: (f) => [f.group], show: (v) => data.classes[v] },
    { name: 'kind', label: 'Kind', of: (f) => [f.kind], empty: 'other files' },
    { name: 'section', label: 'Section', of: (f) => [f.section], empty: 'no section' },
    { name: 'language', label: 'Language', of: (f) => [f.language], empty: 'no language' },
    { name: 'crawler', label: 'Crawler-specific', of: crawlersOf },
    { name: 'reason', label: 'Because', of: (f) => [causeOf(f)], empty: 'nothing restricts it' },
  ]

  const form = byId('filters')
  const search = byId('search')
  const output = byId('count')
  const holder = byId('table')
  const selects = form.querySelector('.selects')

  for (const filter of filters) {
    const numbers = new Map()
    for (const f of files) {
      for (const v of filter.of(f)) numbers.set(v, (numbers.get(v) || 0) + 1)
    }
    const show = (v) => (v === '' ? filter.empty || 'none' : filter.show ? filter.show(v) : v)
    const values = [...numbers.keys()].sort((a, b) => numbers.get(b) - numbers.get(a) || (a < b ? -1 : 1))
    filter.select = make('select', { id: 'filter-' + filter.name })
    filter.select.append(make('option', { value: '', textContent: 'all' }))
    filter.values = values
    values.forEach((v, i) => filter.select.append(make('option', { value: String(i + 1), textContent: show(v) + ' (' + numbers.get(v).toLocaleString('en') + ')' })))
    const label = make('label', { htmlFor: filter.select.id, textContent: filter.label })
    const group = make('p', {}, label, filter.select)
    group.hidden = values.length < 2 && !(filter.name === 'crawler' && values.length > 0)
    selects.append(group)
    // A file has few values of a filter; they are compared by number.
    const number = new Map(values.map((v, i) => [v, i + 1]))
    filter.numbers = files.map((f) => filter.of(f).map((v) => number.get(v)))
  }

  // Columns: what is sorted by, and what is shown.
  const rank = { noindex: 0, limited: 1, indexable: 2, redirect: 3, error: 4, control: 5 }
  const columns = [
    { name: 'File', key: (f) => f.at },
    { name: 'Decision', key: (f) => rank[f.state] + f.decided },
    { name: 'Because', key: (f) => causeOf(f) || '\uffff' },
    { name: 'Kind', key: (f) => f.kind || '\uffff' },
    { name: 'Section', key: (f) => f.section || '\uffff' },
    { name: 'Language', key: (f) => f.language || '\uffff' },
  ]

  const size = 50; // rows shown at once
  const state = { page: 0, sort: 0, down: false, found: files }
  const open = new Set(); // files whose trail is shown

  // On a narrow screen rows are laid out as blocks, for which browsers forget that they are a table's: so the roles are
  // said.
  const head = make('tr', { role: 'row' })
  columns.forEach((c, i) => {
    const button = make('button', { type: 'button', textContent: c.name })
    button.addEventListener('click', () => {
      state.down = state.sort === i && !state.down
      state.sort = i
      state.page = 0
      update()
    })
    c.head = make('th', { scope: 'col', role: 'columnheader' }, button)
    head.append(c.head)
  })
  const body = make('tbody', { role: 'rowgroup' })
  const table = make('table', { role: 'table' }, make('caption', { className: 'unseen', textContent: 'Files and what crawlers may do with them' }), make('thead', { role: 'rowgroup' }, head), body)
  const turn = (text, step) => {
    const b = make('button', { type: 'button', textContent: text })
    b.addEventListener('click', () => {
      state.page += step
      draw()
      holder.scrollIntoView({ block: 'start' })
      where.focus({ preventScroll: true })
    })
    return b
  }
  const previous = turn('Previous', -1)
  const next = turn('Next', 1)
  const where = make('span', { tabIndex: -1 })
  const pager = make('nav', { className: 'pager' }, previous, where, next)
  pager.setAttribute('aria-label', 'Rows')
  holder.append(table, pager)

  const cellOf = (label, ...children) => {
    const td = make('td', { role: 'cell' }, ...children)
    td.dataset.label = label
    return td
  }
  // A long path may be broken between its parts.
  const code = (text) => make('code', {}, ...text.split(/(?<=[/_?=])(?=[^/])/).flatMap((part, i) => (i ? [make('wbr'), part] : [part])))

  // place says where a cause stands, and how many there are beside it.
  const because = (f) => {
    if (!f.cause) return []
    const [, at, layer, key] = f.cause
    const parts = key ? [layer + ' ', code(key)] : [layer]
    if (at) parts.push(make('span', { className: 'place' }, ...placeOf(at)))
    const more = f.steps.filter((s) => s[4]).length - 1
    if (more > 0) parts.push(make('span', { className: 'more', textContent: 'and ' + more + ' more' }))
    return parts
  }

  const rowOf = (f) => {
    const button = make('button', { type: 'button', className: 'open' }, code(decoded(f.url)))
    button.setAttribute('aria-expanded', String(open.has(f.at)))
    const name = make('th', { scope: 'row', role: 'rowheader' }, button)
    if (f.title) name.append(make('bdi', { className: 'title', textContent: f.title }))
    const tr = make('tr', { className: 'file', role: 'row' }, name,
      cellOf('Decision', make('span', { className: 'badge ' + f.state, textContent: f.decided })),
      cellOf('Because', ...because(f)), cellOf('Kind', f.kind), cellOf('Section', f.section), cellOf('Language', f.language))
    button.addEventListener('click', () => {
      const shown = open.has(f.at)
      button.setAttribute('aria-expanded', String(!shown))
      if (shown) {
        open.delete(f.at)
        tr.nextElementSibling.remove()
      } else {
        open.add(f.at)
        tr.after(trailOf(f))
      }
    })
    return open.has(f.at) ? [tr, trailOf(f)] : [tr]
  }

  // trailOf is the row below a file's: what was said, by whom, and what stands in the page and its header.
  const trailOf = (f) => {
    const cell = make('td', { colSpan: columns.length, role: 'cell' })
    const facts = make('dl')
    const fact = (name, ...value) => facts.append(make('div', {}, make('dt', { textContent: name }), make('dd', {}, ...value)))
    const address = pageOf(f.url)
    if (address) fact('Page', make('a', { href: address, rel: 'noreferrer', textContent: address }))
    fact('File', code(f.file))
    if (f.type) fact('Type', f.type)
    if (f.format) fact('Format', f.format)
    if (f.since) fact('Noindex since', make('time', { dateTime: f.since, textContent: f.since }))
    cell.append(facts)
    const lines = [...f.tags, ...f.header.map((h) => 'X-Robots-Tag: ' + h)]
    if (lines.length) {
      const pre = make('pre', { textContent: lines.join('\n'), tabIndex: 0 })
      pre.setAttribute('role', 'group')
      pre.setAttribute('aria-label', 'Tags and header')
      cell.append(make('h3', { textContent: 'Tags and header' }), pre)
    }
    if (f.steps.length) {
      cell.append(make('h3', { textContent: 'Where it comes from' }))
      const list = make('ol', { className: 'trail' })
      for (const [says, at, layer, key, decides] of f.steps) {
        const item = make('li', { className: decides ? 'decides' : '' }, code(says), make('span', { className: 'where' }, ...placeOf(at || (key && 'built-in'))),
          make('span', { className: 'layer' }, ...(key ? [layer + ', ', code(key)] : [layer])))
        if (decides) item.append(make('strong', { textContent: 'decides' }))
        list.append(item)
      }
      cell.append(list)
    } else {
      cell.append(make('p', { textContent: 'No directive applies to it.' }))
    }
    if (f.asked.length) {
      cell.append(make('h3', { textContent: 'robots.txt' }))
      const list = make('ul')
      for (const [crawler, allowed, rule, at] of f.asked) {
        list.append(make('li', { className: allowed ? '' : 'disallowed' }, crawler + (allowed ? ' may fetch it' : ' may not fetch it'),
          ...(rule ? [': ', code(rule)] : []), ...(at ? [' ', make('span', { className: 'where' }, ...placeOf(at))] : [])))
      }
      cell.append(list)
    }
    if (f.findings.length) {
      cell.append(make('h3', { textContent: 'Findings' }))
      const list = make('ul')
      for (const i of f.findings) {
        const [severity, message, at] = data.findings[i]
        list.append(make('li', {}, make('strong', { textContent: severity }), ' ' + message + ' ', make('span', { className: 'where' }, ...placeOf(at))))
      }
      cell.append(list)
    }
    return make('tr', { className: 'trail-row', role: 'row' }, cell)
  }

  const draw = (all) => {
    const pages = Math.max(1, Math.ceil(state.found.length / size))
    state.page = Math.min(Math.max(state.page, 0), pages - 1)
    const from = all ? 0 : state.page * size
    const shown = all ? state.found : state.found.slice(from, from + size)
    body.replaceChildren(...shown.flatMap(rowOf))
    if (!shown.length) body.append(make('tr', { role: 'row' }, make('td', { colSpan: columns.length, role: 'cell', className: 'none', textContent: 'No file matches.' })))
    pager.hidden = pages < 2
    where.textContent = (from + 1).toLocaleString('en') + ' to ' + (from + shown.length).toLocaleString('en') + ' of ' + state.found.length.toLocaleString('en')
    previous.disabled = state.page === 0
    next.disabled = state.page === pages - 1
  }

  // update filters, sorts and draws.
  const update = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const chosen = filters.filter((f) => f.select.value).map((f) => [f.numbers, Number(f.select.value)])
    state.found = files.filter((f, i) => {
      for (const [numbers, wanted] of chosen) {
        if (!numbers[i].includes(wanted)) return false
      }
      if (!words.length) return true
      f.text ||= (f.url + '\n' + decoded(f.url) + '\n' + f.title + '\n' + f.file).toLowerCase()
      return words.every((w) => f.text.includes(w))
    })
    const { key } = columns[state.sort]
    if (state.sort > 0) {
      const keys = new Map(state.found.map((f) => [f, key(f)]))
      state.found.sort((a, b) => {
        const x = keys.get(a), y = keys.get(b)
        return (x < y ? -1 : x > y ? 1 : 0) * (state.down ? -1 : 1) || a.at - b.at
      })
    } else if (state.down) {
      state.found.reverse()
    }
    columns.forEach((c, i) => {
      if (i === state.sort) c.head.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
      else c.head.removeAttribute('aria-sort')
    })
    output.textContent = state.found.length === files.length ? count(files.length, 'file') : state.found.length.toLocaleString('en') + ' of ' + count(files.length, 'file')
    draw()
  }

  const changed = () => {
    state.page = 0
    update()
    remember()
  }

  // What is asked for stands in the address, so that a link leads to it.
  const remember = () => {
    const asked = new URLSearchParams()
    if (search.value) asked.set('search', search.value)
    for (const f of filters) {
      if (f.select.value) asked.set(f.name, f.values[Number(f.select.value) - 1])
    }
    const text = asked.toString()
    history.replaceState(null, '', text ? '#?' + text : '#files')
  }
  const recall = () => {
    if (!location.hash.startsWith('#?')) return false
    const asked = new URLSearchParams(location.hash.slice(2))
    search.value = asked.get('search') || ''
    for (const f of filters) {
      f.select.value = asked.has(f.name) ? String(f.values.indexOf(asked.get(f.name)) + 1) : ''
      if (f.select.value === '0') f.select.value = ''
    }
    return true
  }

  // The rows that are found, on all pages of the table, for a spreadsheet: with the mark by which Excel knows UTF-8, and an
  // apostrophe before what would be a formula.
  const fieldOf = (value) => {
    const s = (/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? "'" : '') + value
    return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s
  }
  const csv = () => {
    const rows = state.found.map((f) => [f.url, f.title, f.decided, causeOf(f), f.cause ? f.cause[1] : '', f.kind, f.section, f.language, f.file,
      f.findings.map((i) => data.findings[i][1]).join('; ')])
    rows.unshift(['URL', 'Title', 'Decision', 'Because', 'Where', 'Kind', 'Section', 'Language', 'File', 'Findings'])
    return '\uFEFF' + rows.map((row) => row.map(fieldOf).join(',') + '\r\n').join('')
  }
  byId('download').addEventListener('click', () => {
    const link = make('a', { href: URL.createObjectURL(new Blob([csv()], { type: 'text/csv' })), download: 'metarobots.csv' })
    link.click()
    URL.revokeObjectURL(link.href)
  })

  form.addEventListener('submit', (e) => e.preventDefault())
  search.addEventListener('input', changed)
  selects.addEventListener('change', changed)
  form.addEventListener('reset', (e) => {
    e.preventDefault()
    search.value = ''
    for (const f of filters) f.select.value = ''
    changed()
    search.focus()
  })
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && !e.ctrlKey && !e.metaKey && !e.altKey && !e.target.closest('input, select, textarea')) {
      e.preventDefault()
      search.focus()
      search.select()
    } else if (e.key === 'Escape' && e.target === search && search.value) {
      e.preventDefault()
      search.value = ''
      changed()
    }
  })
  addEventListener('hashchange', () => {
    if (recall()) {
      state.page = 0
      update()
    }
  })
  // On paper there are no further pages, and nothing can be opened.
  const closed = document.querySelectorAll('details:not([open])')
  addEventListener('beforeprint', () => {
    for (const d of closed) d.open = true
    draw(true)
  })
  addEventListener('afterprint', () => {
    for (const d of closed) d.open = false
    draw()
  })

  // The headline's numbers of files become filters.
  for (const link of document.querySelectorAll('.numbers [data-class]')) {
    link.href = '#?' + new URLSearchParams({ decision: link.dataset.class })
    link.addEventListener('click', () => byId('files').scrollIntoView())
  }

  const linked = recall()
  update()
  form.hidden = holder.hidden = false
  if (linked) byId('files').scrollIntoView()
})()
