import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

// ./semel site sets these. Pages are read from a copy of docs/, the README and the other pages of the root.
const source = process.env.SEMEL_SITE_SOURCE
const output = process.env.SEMEL_SITE_OUTPUT
const docs = join(source, 'docs')
// Where people read the sources, for example https://example.org/semel/blob/main/; without it, links to sources are text.
const repository = process.env.SEMEL_SITE_REPOSITORY

// The directory of the Javadoc that will stand beside the pages, or nothing.
const javadoc = process.env.SEMEL_SITE_JAVADOC

/** The pages of public types in the Javadoc by the names that our pages give them, such as Verdict.Done; none for names of two types. */
const types = new Map()
if (javadoc) {
  const index = readFileSync(join(javadoc, 'type-search-index.js'), 'utf8').match(/\[.*\]/s)[0]
  for (const type of JSON.parse(index).filter(type => type.p)) {
    const page = `/javadoc/${type.p.replaceAll('.', '/')}/${type.l}.html`
    for (let name = type.l; name; name = name.replace(/^[^.]*\.?/, '')) {
      types.set(name, types.has(name) ? null : page)
    }
  }
}

const guides = [
  ['Start', [
    'getting-started/README.md', 'getting-started/spring-boot.md', 'getting-started/webflux.md', 'getting-started/quarkus.md',
    'getting-started/jakarta-rest.md', 'getting-started/grpc.md', 'getting-started/kotlin.md', 'getting-started/plain-java.md',
    'getting-started/gateway.md']],
  ['Decide', ['which-mode.md', 'retention.md', 'stores.md', 'multi-region.md', 'pci-and-pii.md']],
  ['Build', [
    'engine.md', 'tasks.md', 'spring.md', 'frameworks.md', 'messaging.md', 'client.md', 'testing-your-service.md', 'check.md',
    'shadow-mode.md', 'moving-to-semel.md', 'changing-an-operation.md', 'for-your-customers.md']],
  ['Recipes', readdirSync(join(docs, 'recipes')).sort().map(name => `recipes/${name}`)],
  ['Run', [
    'production.md', 'gateway.md', 'console.md', 'admin-api.md', 'observability.md', 'scale.md', 'postgres.md', 'upgrading.md',
    'compatibility.md']],
  ['Runbooks', readdirSync(join(docs, 'runbooks')).sort().map(name => `runbooks/${name}`)],
  ['Look up', ['configuration.md', 'gateway-settings.md', 'http.md', 'problems.md', 'failures.md', 'glossary.md']],
  ['Dialects', readdirSync(join(docs, 'dialects')).sort().map(name => `dialects/${name}`)],
  ['Know', [
    'guarantees.md', 'model/README.md', 'torture.md', 'benchmarks.md', 'architecture.md', 'writing-a-store.md', 'testing-a-store.md',
    'attack.md', 'fuzzing.md', 'mutation-testing.md', 'dependencies.md', 'decisions/README.md']]
]

const title = page => readFileSync(join(docs, page), 'utf8').match(/^# (.*)$/m)[1].replaceAll('`', '')
const address = page => '/' + page.replace(/README\.md$/, '').replace(/\.md$/, '.html')
const entry = page => ({
  text: title(page).replace(/^Getting started with (?:the )?(.)/, (start, letter) => letter.toUpperCase()),
  link: address('docs/' + page)
})

/**
 * Rewrites the links of a page: a README.md is the index of its directory here, and what is not on the site is in the sources.
 * The name of a public type leads to its Javadoc.
 */
function links(md) {
  md.core.ruler.push('semel-links', state => {
    for (const [i, token] of state.tokens.entries()) {
      if (token.type !== 'inline') {
        continue
      }
      const heading = state.tokens[i - 1].type === 'heading_open'
      const open = []
      const children = [...token.children]
      for (const child of children) {
        if (child.type === 'link_open') {
          const link = rewritten(child.attrGet('href'), state.env.relativePath)
          if (link === null) {
            child.type = 'text'
            child.tag = ''
            child.nesting = 0
            child.content = ''
          } else {
            child.attrSet('href', link)
          }
          open.push(link)
        } else if (child.type === 'link_close' && open.pop() === null) {
          child.type = 'text'
          child.tag = ''
          child.nesting = 0
          child.content = ''
        } else if (child.type === 'code_inline' && open.length === 0 && !heading && types.get(child.content.replace(/^@/, ''))) {
          const link = new state.Token('link_open', 'a', 1)
          link.attrs = [['href', types.get(child.content.replace(/^@/, ''))], ['target', '_self'], ['class', 'type']]
          token.children.splice(token.children.indexOf(child), 0, link)
          token.children.splice(token.children.indexOf(child) + 1, 0, new state.Token('link_close', 'a', -1))
        }
      }
    }
  })
}

/** The address of a link on the site; null if it leads to a source, and it is not known where those are. */
function rewritten(href, page) {
  const [, path, anchor = ''] = href.match(/^([^#]*)(#.*)?$/)
  if (/^[a-z]+:/.test(href) || path === '') {
    return href
  }
  // The page has its name on the site, where README.md is index.md; the directory is the same.
  const target = relative(source, resolve(source, dirname(page), path))
  if (path.endsWith('.md') && existsSync(join(source, target))) {
    return address(target) + anchor
  }
  if (!existsSync(join(process.env.SEMEL_SITE_ROOT, target))) {
    throw new Error(`${page}: the link ${href} leads nowhere`)
  }
  return repository ? repository + target + anchor : null
}

export default {
  srcDir: source,
  outDir: output,
  cacheDir: join(output, '../site-cache'),
  title: 'Semel',
  description: 'Operations with side effects, safe to retry',
  cleanUrls: false,
  rewrites: id => id.replace(/(^|\/)README\.md$/, '$1index.md'),
  // A link that leads nowhere fails the build. The Javadoc is made beside it.
  ignoreDeadLinks: [/^\/javadoc\//],
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: { config: links, anchor: { slugify: slug } },
  themeConfig: {
    nav: [
      { text: 'Index', link: '/docs/' },
      { text: 'Start', link: '/docs/getting-started/' },
      { text: 'Recipes', link: '/docs/recipes/' },
      { text: 'Configuration', link: '/docs/configuration.html' },
      ...(javadoc ? [{ text: 'Javadoc', link: '/javadoc/index.html', target: '_self' }] : [])
    ],
    sidebar: guides.map(([text, pages]) => ({
      text,
      collapsed: ['Runbooks', 'Dialects', 'Know'].includes(text),
      items: pages.filter(page => existsSync(join(docs, page))).map(entry)
    })),
    outline: [2, 3],
    search: { provider: 'local' }
  }
}

/** The name of a heading, as GitHub makes it, so that a link works in both places. */
function slug(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-')
}
