// Serves a folder on 127.0.0.1 with a real host's engine, asks it for paths, and stops it.
//
//	node serve.mjs pages|workers|netlify|superstatic FOLDER < questions > answers
//
// A question is a line of JSON: {"path": "/a%20b", "host": "example.org", "header": "Link"}; without a host it is the
// engine's own address, and without a header X-Robots-Tag. The path goes on the wire as it stands. The answers are lines
// of JSON, in the order of the questions: {"status": 200, "lines": ["noindex"], "body": "SHA-256 in hex"}, lines with one
// text for each line of the header. The exit code is 0 where all were answered.
//
// With a third argument, "stay", there are no questions: where the engine serves, as http://127.0.0.1:1234, is printed, and
// it serves until standard input ends. A fourth is the owner's file for the engine, in the folder around the one that is
// served, "" for none: wrangler.jsonc, netlify.toml, to which the lines for this server are added, or firebase.json. The
// engine sees when it is written again. The site may have no home page then.
//
// The engines come from package.json, need no network and report to no one. They run in a folder of their own that is
// removed afterwards.
import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const inParallel = 12
const startsWithin = 120_000 // milliseconds
const answersWithin = 30_000
const endsWithin = 5_000
const allWithin = 840_000 // of a large site, on a busy machine

const modules = join(import.meta.dirname, 'node_modules')
const [engine, folder] = [process.argv[2], resolve(process.argv[3] ?? '')]
const stay = process.argv[4] === 'stay'
const owners = process.argv[5] && resolve(process.argv[5])
const questions = stay ? [{ path: '/' }] : (await text(process.stdin)).split('\n').filter(Boolean).map((line) => JSON.parse(line))
const scratch = mkdtempSync(join(tmpdir(), 'metarobots-hosts-'))
const agent = new Agent({ keepAlive: true, maxSockets: inParallel })

let server // the engine's process
let said = '' // what it printed
let stopping

/**
 * freePort finds a port that nothing listens on. It is below those that systems hand out by themselves (from 32768 on),
 * which another process may get before the engine listens.
 */
async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000)
    const probe = createServer()
    const free = await new Promise((done) => {
      probe.on('error', () => done(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
    })
    if (free) return port
  }
}

/** commandLine is how an engine is started; what it reads from a configuration file is written. */
function commandLine(port, second) {
  const configuration = (name, content) => writeFileSync(join(scratch, name), content)
  const wrangler = join(modules, 'wrangler', 'bin', 'wrangler.js')
  const listen = ['--ip', '127.0.0.1', '--port', port, '--inspector-port', second, '--show-interactive-dev-session', 'false']
  switch (engine) {
    case 'pages':
      return [wrangler, 'pages', 'dev', folder, '--compatibility-date', '2026-01-01', ...listen]
    case 'workers':
      if (owners) return [wrangler, 'dev', '--config', owners, ...listen]
      configuration('wrangler.json', JSON.stringify({ name: 'hosts', compatibility_date: '2026-01-01', assets: { directory: folder } }))
      return [wrangler, 'dev', ...listen]
    case 'netlify':
      writeFileSync(owners ?? join(scratch, 'netlify.toml'), `[build]
publish = ${JSON.stringify(folder)}
[dev]
framework = "#static"
publish = ${JSON.stringify(folder)}
port = ${port}
staticServerPort = ${second}
autoLaunch = false
${owners ? readFileSync(owners, 'utf8').replace(/^[^]*# the owner's\n/, "# the owner's\n") : ''}`)
      return [join(modules, 'netlify-cli', 'bin', 'run.js'), 'dev', '--offline', '--no-open', '--internal-disable-edge-functions']
    case 'superstatic':
      return [join(import.meta.dirname, '..', 'superstatic', 'serve.mjs'), port, folder, owners]
  }
  throw new Error(`${engine} is none of pages, workers, netlify, superstatic`)
}

/** start runs the engine and returns its port. If another process got a port first, it tries with others. */
async function start() {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce()
    } catch (error) {
      if (tries === 3 || !/address already in use|EADDRINUSE/i.test(said)) throw error
      signal('SIGKILL')
      said = ''
    }
  }
}

/** startOnce runs the engine and returns its port once it serves the first question. */
async function startOnce() {
  const [port, second] = [await freePort(), await freePort()]
  const ours = join(modules, 'node', 'bin', 'node')
  const node = existsSync(ours) ? ours : process.execPath
  const home = join(scratch, 'home')
  mkdirSync(home, { recursive: true })
  server = spawn(node, commandLine(port, second).map(String), {
    cwd: owners ? dirname(owners) : scratch,
    detached: true, // a process group of its own, so that what it starts can be stopped with it
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [dirname(node), process.env.PATH].join(':'), HOME: home, TMPDIR: scratch, LANG: 'C.UTF-8', CI: 'true', NO_COLOR: '1',
      WRANGLER_SEND_METRICS: 'false', WRANGLER_SEND_ERROR_REPORTS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      NETLIFY_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1',
    },
  })
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => { said += piece })
  }
  for (const end = Date.now() + startsWithin; Date.now() < end; await sleep(100)) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('the engine ended')
    const answer = await ask(port, questions[0]).catch(() => null)
    if (answer?.status === 200 || answer?.status < 500 && owners !== undefined) return port
  }
  throw new Error('the engine did not begin to serve')
}

/** signal sends a signal to the engine and all that it started, and tells whether any of it is there. */
function signal(name) {
  try {
    process.kill(-server.pid, name)
    return true
  } catch {
    return false
  }
}

/** stop ends the engine and removes its folder. */
function stop() {
  return stopping ??= (async () => {
    agent.destroy()
    if (server?.pid) {
      signal('SIGTERM')
      for (const end = Date.now() + endsWithin; Date.now() < end && signal(0);) await sleep(50)
      signal('SIGKILL')
    }
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })
  })()
}

/** giveUp ends everything before all is answered. */
function giveUp() {
  process.stderr.write(`${engine}: stopped\n${said}`)
  stop().finally(() => process.exit(1))
}

/** ask puts one question. */
function ask(port, { path, host = `127.0.0.1:${port}`, header = 'X-Robots-Tag' }) {
  return new Promise((done, fail) => {
    const request = get({ host: '127.0.0.1', port, path, agent, headers: { host }, timeout: answersWithin }, (response) => {
      const body = createHash('sha256')
      response.on('data', (piece) => body.update(piece)).on('error', fail).on('end', () => {
        const lines = response.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1].toLowerCase() === header.toLowerCase())
        done({ status: response.statusCode, lines, body: body.digest('hex') })
      })
    })
    request.on('timeout', () => request.destroy(new Error('no answer in time'))).on('error', fail)
  })
}

/** patiently asks again where a connection broke. */
async function patiently(port, question) {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(port, question)
    } catch (error) {
      if (tries === 4) throw new Error(`${question.path}: ${error.message}`)
      await sleep(200 * tries)
    }
  }
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, giveUp)
}
if (!stay) setTimeout(giveUp, allWithin).unref()
try {
  const port = await start()
  if (stay) {
    process.stdout.write(`http://127.0.0.1:${port}\n`)
    await text(process.stdin)
  }
  const answers = []
  let next = stay ? 1 : 0
  await Promise.all(Array.from({ length: inParallel }, async () => {
    while (next < questions.length) {
      const n = next++
      answers[n] = await patiently(port, questions[n])
    }
  }))
  process.stdout.write(answers.map((answer) => JSON.stringify(answer) + '\n').join(''))
} catch (error) {
  process.stderr.write(`${engine}: ${error.message}\n${said}`)
  process.exitCode = 1
} finally {
  await stop()
}
