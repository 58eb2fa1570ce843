export const data = {
  layout: 'base.njk',
  title: 'Bench',
}

export function render({ title }) {
  return `<p>${title}</p>`
}
