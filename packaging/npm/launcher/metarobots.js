#!/usr/bin/env node
// Starts metarobots. The program for this system is a package of its own, which comes with this one.
'use strict'
const { spawn } = require('node:child_process')
const { statSync } = require('node:fs')
const { constants } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { name, version, optionalDependencies, peerDependencies = {} } = require('./package.json')

/**
 * locate returns the program of this system, and the arguments that go before the user's.
 * It throws an Error that says what is missing and what to do.
 */
function locate() {
  const wanted = `${name}-${process.platform}-${process.arch}`
  const file = `PATH/${wanted.replace(/^@/, '').replace('/', '-')}-${version}.tgz` // of a release that is not published
  const add = `npm install --save-optional ${version.startsWith('0.0.0-') ? file : `${wanted}@${version}`}`
  if (!(wanted in optionalDependencies)) {
    const [fallback] = Object.keys(peerDependencies)
    if (!fallback) throw new Error(`there is no ${name} for ${process.platform} on ${process.arch}: build it from its sources`)
    try {
      return { program: process.execPath, args: [require.resolve(`${fallback}/metarobots.js`)] }
    } catch {
      throw new Error(`there is no ${name} for ${process.platform} on ${process.arch}. A slower one, in WebAssembly: npm install ${fallback}@${version}`)
    }
  }
  let manifest
  try {
    manifest = require.resolve(`${wanted}/package.json`)
  } catch {
    throw new Error(`the package ${wanted} is not installed: it has the program for this system. Run: ${add}`)
  }
  const { program, version: installed } = require(manifest)
  const binary = join(dirname(manifest), program.file)
  if (installed !== version) {
    throw new Error(`${wanted} is version ${installed}, and ${name} is ${version}. Run: ${add}`)
  }
  const size = statSync(binary, { throwIfNoEntry: false })?.size
  if (size !== program.size) {
    throw new Error(`${binary} is damaged: it has ${size ?? 'no'} bytes of ${program.size}. Remove node_modules and run: npm install`)
  }
  return { program: binary, args: [] }
}

/** called is how the user runs this: by npx, from a package of the site, or as a command of the system. */
function called() {
  const [, script] = process.argv
  if (!script.includes('node_modules') && !script.includes('_npx')) return basename(script)
  return `npx ${basename(dirname(script)) === '.bin' && !script.includes('_npx') ? basename(script) : name}`
}

/** run starts the program, hands on what this process is told, and ends as the program ends. */
function run() {
  const fail = (error) => {
    console.error(`error: ${error.message}`)
    process.exit(3)
  }
  let found
  try {
    found = locate()
  } catch (error) {
    return fail(error)
  }
  const env = { METAROBOTS_COMMAND: called(), ...process.env }
  const child = spawn(found.program, [...found.args, ...process.argv.slice(2)], { stdio: 'inherit', env })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].filter((signal) => signal in constants.signals)
  // From a terminal the program gets them too, and a second one would end it at once.
  for (const signal of signals) process.on(signal, () => (signal !== 'SIGINT' || !process.stdin.isTTY) && child.kill(signal))
  child.on('error', (error) => fail(new Error(`${found.program} does not start: ${error.message}`)))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code)
  })
}

if (require.main === module) run()
else module.exports = { locate }
