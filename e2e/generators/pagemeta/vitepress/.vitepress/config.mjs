const shelf = 'attic'

export default {
  title: 'Lamps',
  rewrites: {
    'history.md': 'company/history.md',
    'chimney.md': `${shelf}/chimney.md`,
  },
  srcExclude: ['drafts/**'],
  sitemap: { hostname: 'https://lamps.example' },
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de' },
  },
  transformHead: ({ pageData }) => [
    ['meta', { name: 'metarobots', content: JSON.stringify({ source: pageData.filePath, robots: pageData.frontmatter.robots }) }],
  ],
}
