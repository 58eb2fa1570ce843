// Compares pages before and after by the trees that parse5 makes of them, each a line of JSON, and answers with the first
// fault and with how many links and snippets got what testdata/links.toml asks for. What is asked for it works out by
// itself, with Node's URLs.
import { createInterface } from 'node:readline';
import { html, parse } from 'parse5';

const own = host => host === 'own.example' || host.endsWith('.own.example');
const web = url => url.protocol === 'http:' || url.protocol === 'https:';
const words = (text, separator) => (text ?? '').split(separator).filter(w => w !== '');
const space = /[\t\n\f\r ]+/, spaceOrComma = /[\t\n\f\r ,]+/;
const attribute = (node, name) => node.attrs?.find(a => a.name === name && !a.prefix)?.value;

function lead(href, base) {
  try {
    const url = new URL(href, base);
    return web(url) ? url : null;
  } catch {
    return null;
  }
}

// base returns the first base element's address; the content of a template is no child of it.
function base(node, page) {
  if (node.tagName === 'base' && node.namespaceURI === html.NS.HTML && attribute(node, 'href') !== undefined) return lead(attribute(node, 'href'), page) ?? page;
  for (const child of node.childNodes ?? []) {
    const found = base(child, page);
    if (found) return found;
  }
  return null;
}

// within reports whether a node or one around it has a class.
function within(node, name) {
  for (let n = node; n; n = n.parentNode)
    if (n.namespaceURI === html.NS.HTML && words(attribute(n, 'class'), space).includes(name)) return true;
  return false;
}

// asked returns the rel values and whether data-nosnippet is asked of an element.
function asked(node, at, section) {
  if (node.namespaceURI !== html.NS.HTML) return { rel: [], snippet: false };
  const classes = words(attribute(node, 'class'), space);
  const rel = [];
  const href = attribute(node, 'href');
  if ((node.tagName === 'a' || node.tagName === 'area') && href !== undefined) {
    const url = lead(href, at);
    if (url && !own(url.hostname) && url.hostname !== 'friend.example') {
      if (url.hostname !== 'kept.example') rel.push('nofollow');
      if (section === 'forum' && within(node, 'comment')) rel.push('ugc');
      if (url.hostname.endsWith('.shop.example')) rel.push('sponsored');
    }
  }
  const has = words(attribute(node, 'rel'), spaceOrComma).map(w => w.toLowerCase());
  return {
    rel: rel.filter(w => !has.includes(w)),
    snippet: ['div', 'span', 'section'].includes(node.tagName) && classes.includes('quiet') && attribute(node, 'data-nosnippet') === undefined,
  };
}

function* pairs(a, b, free) {
  yield [a, b, free];
  const x = a.childNodes ?? [], y = b.childNodes ?? [];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    if (!x[i] || !y[i]) throw 'the children of ' + a.nodeName + ' are not as many';
    yield* pairs(x[i], y[i], free);
  }
  if (a.content) yield* pairs(a.content, b.content, false);
}

function compare({ Before, After, Section }) {
  const [a, b] = [Before, After].map(s => parse(Buffer.from(s, 'base64').toString('utf8'), { scriptingEnabled: true }));
  const at = base(a, new URL('https://own.example/' + Section + '/')) ?? new URL('https://own.example/' + Section + '/');
  const out = { Fault: '', Links: 0, Snippets: 0 };
  try {
    for (const [x, y, free] of pairs(a, b, true)) {
      for (const key of ['nodeName', 'tagName', 'namespaceURI', 'value', 'data', 'mode', 'name', 'publicId', 'systemId'])
        if (x[key] !== y[key]) throw key + ' ' + x[key] + ' became ' + y[key];
      if (!x.attrs) continue;
      const name = t => (t.prefix ?? '') + ' ' + t.name;
      const want = new Map(x.attrs.map(t => [name(t), t.value]));
      const { rel, snippet } = free ? asked(x, at, Section) : { rel: [], snippet: false };
      if (rel.length > 0) {
        out.Links++;
        want.set(' rel', [...words(want.get(' rel'), space), ...rel].join(' '));
      }
      if (snippet) {
        out.Snippets++;
        want.set(' data-nosnippet', '');
      }
      for (const t of y.attrs) {
        const value = name(t) === ' rel' && rel.length > 0 ? words(t.value, space).join(' ') : t.value;
        if (want.get(name(t)) !== value) throw '<' + y.tagName + '> has ' + t.name + '=' + JSON.stringify(t.value) + ', wanted ' + JSON.stringify(want.get(name(t)));
        want.delete(name(t));
      }
      if (want.size > 0) throw '<' + y.tagName + '> lacks ' + JSON.stringify([...want]);
    }
  } catch (fault) {
    out.Fault = String(fault.stack ?? fault);
  }
  return out;
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(JSON.stringify(compare(JSON.parse(line))) + '\n');
