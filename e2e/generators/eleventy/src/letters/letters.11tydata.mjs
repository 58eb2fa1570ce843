const layout = 'base.njk'

export default function () {
  return { layout, robots: 'noindex' }
}
