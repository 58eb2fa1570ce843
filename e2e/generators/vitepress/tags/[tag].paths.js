export default {
  paths: () => ['care', 'oil'].map((tag) => ({ params: { tag } })),
}
