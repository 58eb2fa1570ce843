// Writes the policy over what the build published, before Netlify deploys it. Which deploys are previews, Netlify's
// CONTEXT tells the program.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const output = 1 << 28 // bytes of JSON; a page takes about 2 KB

/** start runs a program to its end and returns what it printed; its standard error is shown too, where asked. */
function start(program, args, { show, ...options } = {}) {
  return new Promise((done, fail) => {
    const child = execFile(program, args, { maxBuffer: output, ...options }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') fail(error) // it did not start, or was killed
      else done({ code: error ? error.code : 0, stdout, stderr })
    })
    if (show) child.stderr.pipe(process.stderr)
  })
}

/** isHugo tells whether the site is one that needs the program with Hugo: its folder holds Hugo's configuration. */
function isHugo(folder) {
  const at = (...names) => existsSync(join(folder, ...names))
  return ['toml', 'yaml', 'yml', 'json'].some((ext) => at(`hugo.${ext}`)) || at('config', '_default') ||
    ['toml', 'yaml', 'yml', 'json'].some((ext) => at(`config.${ext}`) && /^[\s{]*["']?baseURL\b/im.test(readFileSync(join(folder, `config.${ext}`), 'utf8')))
}

/** What Go fills while it builds is kept between deploys; in the home folder, where no site publishes it. */
const folder = join(homedir(), '.cache', 'metarobots')
const caches = [join(folder, 'go-build'), join(folder, 'go-mod')]

/** installed returns the program of the npm packages that the plugin depends on, or that the site has. */
function installed() {
  const require = createRequire(import.meta.url)
  for (const name of ['metarobots-hugo', 'metarobots']) {
    let launcher
    try {
      launcher = require.resolve(name, { paths: [fileURLToPath(new URL('.', import.meta.url)), process.cwd()] })
    } catch {
      continue
    }
    return require(launcher).locate().program
  }
}

/** find returns the program: the one that is named, else that of the npm packages. It is built where somebody asks for that. */
async function find({ inputs, utils }) {
  const named = inputs.program || process.env.METAROBOTS_BINARY
  if (named) {
    const program = resolve(named)
    if (!existsSync(program)) throw new Error(`${program} is not there: the input program, or METAROBOTS_BINARY, names it`)
    return program
  }
  if (!inputs.checkout) {
    const program = installed()
    if (program) return program
    throw new Error('the package metarobots-hugo (or metarobots, for a site that is not Hugo\'s) is not installed: npm install --save-dev metarobots-hugo, ' +
      'or name a built program in the input program, or metarobots\' sources in the input checkout')
  }
  const checkout = resolve(inputs.checkout)
  const modules = join(checkout, 'go.mod')
  if (!existsSync(modules) || !/^module metarobots$/m.test(readFileSync(modules, 'utf8'))) {
    throw new Error(`${checkout} does not hold metarobots' sources: name them in the input checkout, or a built program in the input program`)
  }
  const wanted = /^go (\d+\.\d+)/m.exec(readFileSync(modules, 'utf8'))[1]
  const env = { ...process.env, CGO_ENABLED: '0', GOCACHE: caches[0], GOMODCACHE: caches[1], GOFLAGS: '-mod=readonly -modcacherw' }
  const missing = `building metarobots needs Go ${wanted}: say GO_VERSION = "${wanted}" under [build.environment] of netlify.toml`
  const version = await start('go', ['env', 'GOVERSION'], { env, cwd: checkout }).catch(() => null)
  if (version?.code !== 0) throw new Error(missing)
  await utils.cache.restore(caches)
  const lean = inputs.lean ?? !isHugo(resolve(inputs.source))
  const program = join(folder, process.platform === 'win32' ? 'metarobots.exe' : 'metarobots')
  const built = await start('go', ['build', '-trimpath', '-buildvcs=false', ...(String(lean) === 'true' ? ['-tags', 'nohugo'] : []), '-o', program, '.'], { env, cwd: checkout })
  if (built.code !== 0) throw new Error(`metarobots could not be built\n${built.stderr}`)
  await utils.cache.save(caches)
  return program
}

/** sentence says in one line what came of it. */
function sentence({ environment, private: hidden, pages, indexable, noindex, findings }) {
  const count = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`
  return `${count(pages, 'page')} in ${environment}${hidden ? ', which is not indexed' : ''}: ${indexable} may be indexed, ${noindex} noindex; ` +
    `${count(findings.error ?? 0, 'error')}, ${count(findings.warning ?? 0, 'warning')}`
}

/** unwritten tells whether the policy, or all of its headers, could not be written: then the site is not deployed. */
const unwritten = ({ id, severity }) => severity === 'error' && ['header-overflow', 'header-syntax'].includes(id)

let program

/** onPreBuild finds the program, so that a site is not built in vain where it is missing. */
export async function onPreBuild({ inputs, utils }) {
  if (!['error', 'never'].includes(inputs.failOn)) return utils.build.failBuild(`failOn: want error or never, not "${inputs.failOn}"`)
  if (!Array.isArray(inputs.args)) return utils.build.failBuild('args: want a list, such as ["--policy", "robots.toml"]')
  try {
    program = await find({ inputs, utils })
  } catch (error) {
    utils.build.failBuild(error.message)
  }
}

/** onPostBuild writes the policy. A site whose policy could not be written is not deployed: it would be indexed. */
export async function onPostBuild({ constants, inputs, utils }) {
  let run
  const env = { ...process.env, NETLIFY: 'true' } // also where netlify build runs elsewhere
  try {
    run = await start(program, ['apply', '--json', '--source', inputs.source, ...inputs.args.map(String), '--', constants.PUBLISH_DIR], { env, show: true })
  } catch (error) {
    return utils.build.failBuild(`metarobots did not run: ${error.message}`, { error })
  }
  const errors = run.stderr.split('\n').filter((line) => line.startsWith('error: ')).map((line) => line.slice('error: '.length))
  const { summary, findings } = run.code > 1 ? { findings: [] } : JSON.parse(run.stdout)
  if (run.code > 1 || (run.code === 1 && (inputs.failOn === 'error' || findings.some(unwritten)))) {
    return utils.build.failBuild([`metarobots ended with exit code ${run.code}`, ...errors].join('\n'))
  }
  const lines = findings.map(({ severity, url, file, line, message }) => `${severity}: ${[file || url, line].filter(Boolean).join(':')}: ${message}`)
  utils.status.show({ title: 'What crawlers may do', summary: sentence(summary), text: lines.slice(0, 100).join('\n') })
}
