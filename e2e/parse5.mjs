// Reads pages, a JSON string with the bytes of one in base64 a line, and prints for each the named metas that parse5
// makes elements of, in source order: whether in the head, name, content, source text of the tag.
import { createInterface } from 'node:readline';
import { html, parse } from 'parse5';

const utf8 = new TextDecoder('utf-8'); // takes a byte order mark off, as the standard's decode does
const space = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;

function* metas(node, head) {
  if (node.namespaceURI === html.NS.HTML) {
    if (node.tagName === 'head') head = true;
    const get = name => node.attrs.find(a => a.name === name)?.value;
    if (node.tagName === 'meta' && get('name') !== undefined) {
      yield {
        head,
        name: get('name').replace(space, '').replace(/[A-Z]/g, c => c.toLowerCase()),
        content: get('content') ?? null,
        at: node.sourceCodeLocation,
      };
    }
  }
  // The content of a template is no child of it, so it is not looked at.
  for (const child of node.childNodes ?? []) yield* metas(child, head);
}

for await (const line of createInterface({ input: process.stdin })) {
  const source = utf8.decode(Buffer.from(JSON.parse(line), 'base64'));
  const found = [...metas(parse(source, { scriptingEnabled: true, sourceCodeLocationInfo: true }), false)];
  found.sort((a, b) => a.at.startOffset - b.at.startOffset);
  const out = found.map(({ head, name, content, at }) => ({ head, name, content, tag: source.slice(at.startOffset, at.endOffset) }));
  process.stdout.write(JSON.stringify(out) + '\n');
}
