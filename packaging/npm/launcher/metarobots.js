#!/usr/bin/env node
// Starts metarobots. The program for this system is a package of its own, which comes with this one.
'use strict'
const { spawn } = require('node:child_process')
const { existsSync, readFileSync, statSync } = require('node:fs')
const { constants } = require('node:os')
const { basename, dirname, isAbsolute, join, posix, resolve } = require('node:path')
const { name, version, optionalDependencies, peerDependencies = {} } = require('./package.json')

/** read returns what a file of JSON says; an empty object where there is none. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** site is the folder in whose node_modules this is installed; pnpm has it deeper. */
const [site] = __dirname.split(/[\\/]node_modules[\\/]/)

/**
 * folderOfFiles returns the folder, as seen from the site's, of the packages' files if this package was installed from
 * one; '' if it came from a registry. https://docs.npmjs.com/cli/configuring-npm/package-lock-json
 */
function folderOfFiles() {
  const manifest = read(join(site, 'package.json'))
  const specs = [
    read(join(site, 'package-lock.json')).packages?.[`node_modules/${name}`]?.resolved,
    ...['dependencies', 'devDependencies', 'optionalDependencies'].map((key) => manifest[key]?.[name]),
  ]
  const file = specs.find((spec) => typeof spec === 'string' && /^(file:.*|[^:]*)\.tgz$/.test(spec))
  if (file === undefined) return ''
  const folder = posix.dirname(file.replace(/^file:/, '').replaceAll('\\', '/'))
  return isAbsolute(folder) || folder.startsWith('.') ? folder : `./${folder}`
}

/**
 * advice returns the command that installs the program of this system, which is the package wanted. Beside it may be
 * another version, which is newer after half an upgrade. No registry knows packages that were installed from files.
 */
function advice(wanted, installed = version) {
  const folder = folderOfFiles()
  if (!folder && !version.startsWith('0.0.0-')) return `Run: npm install --save-optional ${wanted}@${version}`
  const files = (v) => [name, wanted].map((p) => `${folder || 'PATH'}/${p.replace(/^@/, '').replace('/', '-')}-${v}.tgz`)
  const versions = [version, installed].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const known = versions.find((v) => files(v).every((file) => existsSync(resolve(site, file))))
  const install = `npm install --save-optional ${files(known ?? version).join(' ')}`
  if (known || !folder) return `Run: ${install}`
  return `${building(wanted, folder)}, and run: ${install}`
}

/** platformOf returns the platform of a package with a program, as packaging/release calls it; js/wasm is for any other. */
function platformOf(other) {
  const [, system, cpu] = other.slice(name.length).split('-')
  const platform = `${system === 'win32' ? 'windows' : system}/${cpu === 'x64' ? 'amd64' : cpu}`
  return /^(linux|darwin)\/(amd64|arm64)$|^windows\/amd64$/.test(platform) ? platform : 'js/wasm'
}

/** building says how packages in a folder are made anew, for this system and those that they are for now. */
function building(wanted, folder) {
  const platforms = new Set(Object.keys(optionalDependencies).concat(wanted).map(platformOf))
  return `Build the packages in ${folder} anew, by packaging/release of metarobots' sources, with ` +
    [...platforms].map((p) => `--platform ${p}`).concat(`--version ${version}`).join(' ')
}

/**
 * locate returns the program of this system, and the arguments that go before the user's.
 * It throws an Error that says what is missing and what to do.
 */
function locate() {
  const wanted = `${name}-${process.platform}-${process.arch}`
  if (!(wanted in optionalDependencies)) {
    const [fallback] = Object.keys(peerDependencies)
    const folder = folderOfFiles()
    const lacks = `there is no ${name} for ${process.platform} on ${process.arch}`
    try {
      if (fallback) return { program: process.execPath, args: [require.resolve(`${fallback}/metarobots.js`)] }
    } catch {
      if (!folder) throw new Error(`${lacks}. A slower one, in WebAssembly: npm install ${fallback}@${version}`)
    }
    const isPossible = folder && (fallback || platformOf(wanted) !== 'js/wasm')
    throw new Error(isPossible ? `${lacks} here. ${building(wanted, folder)}; then run: npm install --save-optional ${folder}/*.tgz`
      : `${lacks}: build it from its sources`)
  }
  let manifest
  try {
    manifest = require.resolve(`${wanted}/package.json`)
  } catch {
    throw new Error(`the package ${wanted} is not installed: it has the program for this system. ${advice(wanted)}`)
  }
  const { program, version: installed } = require(manifest)
  const binary = join(dirname(manifest), program.file)
  if (installed !== version) {
    throw new Error(`${wanted} is version ${installed}, and ${name} is ${version}. ${advice(wanted, installed)}`)
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
