export default {
  title: 'Lamps',
  url: 'https://lamps.example',
  baseUrl: '/',
  themes: ['@docusaurus/theme-classic'],
  plugins: [
    '@docusaurus/plugin-content-docs',
    ['@docusaurus/plugin-content-blog', { postsPerPage: 1, showReadingTime: false }],
    '@docusaurus/plugin-content-pages',
    '@docusaurus/plugin-sitemap',
  ],
}
