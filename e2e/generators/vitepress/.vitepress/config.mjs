const shelf = ['attic'].join('')

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
}
