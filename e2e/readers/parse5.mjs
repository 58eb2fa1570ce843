// Reads pages as parse5 does, in the encoding that the standard's sniffing finds.
//
//	node parse5.mjs < pages > metas
//
// A page is a line of JSON: {"type": its Content-Type, "body": its bytes in base64}. The answer is a line of JSON with its
// named metas: [{"head": true, "name": "robots", "content": "noindex"}], content null where there is none.
import { createInterface } from 'node:readline'
import htmlEncodingSniffer from 'html-encoding-sniffer'
import { html, parse } from 'parse5'

function* metas(node, head) {
  if (node.namespaceURI === html.NS.HTML) {
    head ||= node.tagName === 'head'
    const value = (name) => node.attrs.find((a) => a.name === name)?.value ?? null
    if (node.tagName === 'meta' && value('name') !== null) yield { head, name: value('name'), content: value('content') }
  }
  // The content of a template is no child of it.
  for (const child of node.childNodes ?? []) yield* metas(child, head)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { type, body } = JSON.parse(line)
  const bytes = Buffer.from(body, 'base64')
  const charset = /charset="?([^";\s]+)/i.exec(type)?.[1]
  const encoding = htmlEncodingSniffer(bytes, { transportLayerEncodingLabel: charset })
  const text = new TextDecoder(encoding).decode(bytes) // takes a byte order mark off
  process.stdout.write(JSON.stringify([...metas(parse(text, { scriptingEnabled: true }), false)]) + '\n')
}
