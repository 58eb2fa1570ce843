// Serves a folder with Firebase's emulator, by the owner's firebase.json as it is at each request.
//
//	node serve.mjs PORT FOLDER FIREBASE.JSON
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'

const { default: superstatic } = createRequire(import.meta.url)('superstatic')
const [port, folder, file] = process.argv.slice(2)

let read, site // the file as it was read last, and what serves by it

const fails = (response, error) => {
  response.statusCode = error ? 500 : 404
  response.end(String(error ?? ''))
}

createServer((request, response) => {
  const text = readFileSync(file, 'utf8')
  if (text !== read) {
    const config = { ...JSON.parse(text).hosting, public: basename(folder) }
    site = superstatic({ cwd: dirname(folder), config, fallthrough: false })
    read = text
  }
  try {
    site(request, response, (error) => fails(response, error))
  } catch (error) {
    fails(response, error)
  }
}).listen(Number(port), '127.0.0.1')
