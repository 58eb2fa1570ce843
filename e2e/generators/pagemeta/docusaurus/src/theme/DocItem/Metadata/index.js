import React from 'react'
import Head from '@docusaurus/Head'
import Metadata from '@theme-original/DocItem/Metadata'
import { useDoc } from '@docusaurus/plugin-content-docs/client'

export default function WithMetadata(props) {
  const { metadata, frontMatter } = useDoc()
  const page = { source: metadata.source, robots: frontMatter.robots }
  return (
    <>
      <Metadata {...props} />
      <Head><meta name="metarobots" content={JSON.stringify(page)} /></Head>
    </>
  )
}
