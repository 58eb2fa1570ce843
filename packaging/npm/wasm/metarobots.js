#!/usr/bin/env node
// Runs metarobots as WebAssembly, with the loader that comes with Go.
'use strict'
const { join } = require('node:path')

// Go takes 8 KB of arguments and environment at most (wasm_exec.js): what metarobots does not read stays behind.
const read = /^((METAROBOTS|HUGO|CF|WORKERS|XDG)_.*|CI|CONTEXT|NETLIFY|VERCEL_ENV|SOURCE_DATE_EPOCH|HOME|USERPROFILE|LOCALAPPDATA|TMPDIR|TZ|TERM|NO_COLOR|GOGC)$/
for (const name of Object.keys(process.env)) {
  if (!read.test(name)) delete process.env[name]
}
process.argv.splice(2, 0, join(__dirname, 'metarobots.wasm'))
require('./wasm_exec_node.js')
