import React from 'react'
import Head from '@docusaurus/Head'
import Metadata from '@theme-original/BlogPostPage/Metadata'
import { useBlogPost } from '@docusaurus/plugin-content-blog/client'

export default function WithMetadata(props) {
  const { metadata, frontMatter } = useBlogPost()
  const page = { source: metadata.source, robots: frontMatter.robots }
  return (
    <>
      <Metadata {...props} />
      <Head><meta name="metarobots" content={JSON.stringify(page)} /></Head>
    </>
  )
}
