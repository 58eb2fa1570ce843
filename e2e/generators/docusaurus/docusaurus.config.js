export default {
  title: 'Lamps',
  url: 'https://lamps.example',
  baseUrl: '/',
  markdown: {
    parseFrontMatter: async (params) => {
      const parsed = await params.defaultParseFrontMatter(params)
      const { shelf } = parsed.frontMatter
      if (shelf) parsed.frontMatter.slug = `/${shelf}/`
      return parsed
    },
  },
  themes: ['@docusaurus/theme-classic'],
  plugins: [
    '@docusaurus/plugin-content-docs',
    ['@docusaurus/plugin-content-blog', { postsPerPage: 1, showReadingTime: false }],
    '@docusaurus/plugin-content-pages',
    '@docusaurus/plugin-sitemap',
  ],
}
