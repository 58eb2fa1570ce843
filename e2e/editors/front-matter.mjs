// Checks the front matter of Markdown files as remark-lint-frontmatter-schema does in an editor.
// Usage: node front-matter.mjs SCHEMA FILE …; prints one JSON object: messages by file.
import { readFileSync } from 'node:fs'
import { remark } from 'remark'
import frontmatter from 'remark-frontmatter'
import lint from 'remark-lint-frontmatter-schema'

const [schema, ...files] = process.argv.slice(2)
const messages = {}
for (const path of files) {
  const file = await remark()
    .use(frontmatter, ['yaml'])
    .use(lint, { embed: JSON.parse(readFileSync(schema, 'utf8')) })
    .process({ path, value: readFileSync(path, 'utf8') })
  messages[path] = file.messages.map((m) => String(m.reason))
}
console.log(JSON.stringify(messages))
