export default function (config) {
  config.addPassthroughCopy('src/files')
  config.addPreprocessor('drafts', '*', (data) => (data.draft ? false : undefined))
  return { dir: { input: 'src' } }
}
