export default {
  layout: 'base.njk',
  // Letters are for those who wrote them.
  robots: 'noindex',
}
