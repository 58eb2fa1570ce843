export const data = {
  layout: 'base.njk',
  title: 'Bench',
  robots: 'noindex',
}

export function render({ title }) {
  return `<p>${title}</p>`
}
