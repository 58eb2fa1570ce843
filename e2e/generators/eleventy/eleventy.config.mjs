export default function (config) {
  config.addPassthroughCopy('src/files')
  config.addGlobalData('shelf', 'attic')
  config.addPreprocessor('drafts', '*', (data) => (data.draft ? false : undefined))
  return { dir: { input: 'src' } }
}
