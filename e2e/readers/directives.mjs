// Combines what a page and its header say as robot-directives does.
//
//	node directives.mjs < said > obeyed
//
// What is said is a line of JSON: {"metas": [{"name", "content"}], "header": [one text for each X-Robots-Tag line],
// "crawlers": ["", "googlebot"]}, "" being one that nobody knows by name. The answer is a line of JSON with a list of
// restrictions for each crawler, or null where robot-directives threw an error.
import { createInterface } from 'node:readline'
import RobotDirectives from 'robot-directives'

const { NOINDEX, NOFOLLOW, NOARCHIVE, NOSNIPPET, NOTRANSLATE, NOIMAGEINDEX } = RobotDirectives
const known = [NOINDEX, NOFOLLOW, NOARCHIVE, NOSNIPPET, NOTRANSLATE, NOIMAGEINDEX]

const obey = ({ metas, header, crawlers }) => {
  const robots = new RobotDirectives()
  for (const text of header) robots.header(text)
  for (const { name, content } of metas) robots.meta(name, content)
  return crawlers.map((userAgent) => known.filter((directive) => robots.is(directive, { userAgent })))
}

for await (const line of createInterface({ input: process.stdin })) {
  let obeyed = null
  try {
    obeyed = obey(JSON.parse(line))
  } catch (error) {
    process.stderr.write(`${line}: ${error}\n`)
  }
  process.stdout.write(JSON.stringify(obeyed) + '\n')
}
