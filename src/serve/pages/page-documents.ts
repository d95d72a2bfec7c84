import { type Endpoint, GROUPS } from '../../contract/endpoint.ts';
import { toJsonText } from '../../contract/json/json.ts';
import type { Param } from '../../contract/params/params.ts';
import type { ServedRoute } from '../routes.ts';
import type { FactTable, MirrorFacts } from './page-data.ts';
import type { PageParts } from './page-parts.ts';

interface FactsPageInput {
  readonly facts: MirrorFacts;
  /** Undefined for a reader who has shown no key. */
  readonly privateTables: readonly FactTable[] | undefined;
  readonly isTrusted: boolean;
  readonly service: string;
  readonly version: PageParts['version'];
}

const KIND_WORDS = { real: 'real data', synthetic: 'synthetic data', empty: 'none yet' } as const;

/** The page at `/`: what this mirror is. Facts are in the document itself, so that they need no script. */
export function factsPage({ facts, privateTables, isTrusted, service, version }: FactsPageInput): string {
  const { kind, cards, groups } = facts;
  const all = [['Data', KIND_WORDS[kind ?? 'empty']], ...cards] as const;
  return pageDocument(
    { title: `Mirror of ${service}`, at: '/', script: 'home.js', kind, isTrusted },
    html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${cellHtml(value)}</dd></div>`)}</dl>
<p class="quiet">Source: ${facts.source}. Served by macro ${version}.</p>
${tableHtml(groups)}
<section id="private" aria-label="Quota, runs and webhooks">${privateTables ? tablesHtml(privateTables) : keyNotice()}</section>
<section id="events" aria-labelledby="events-title"><h2 id="events-title">Live events</h2>
<noscript><p>Live events need JavaScript here. <code>macro stream</code> shows them in a terminal.</p></noscript>
<div id="event-list"></div></section>
<section><h2>Use it</h2>
<p>Programs ask at <code>/v1</code>. The <a href="/docs">reference</a> lists all routes, and the <a href="/explore">explorer</a> shows each series.</p></section>`,
  );
}

function keyNotice(): SafeHtml {
  return html`<h2>Quota, runs and webhooks</h2>
<p>These need a key of this server. With JavaScript you can enter one below; it stays in this tab.
Without it, send the key in a header: <code>curl -H "X-API-Key: $KEY" http://HOST:PORT/</code></p>`;
}

/** Tables with rows, then one line for each without any. */
function tablesHtml(tables: readonly FactTable[]): SafeHtml {
  const bare = tables.filter(({ rows }) => rows.length === 0);
  return html`${tables.filter((table) => !bare.includes(table)).map(tableHtml)}
<dl class="bare">${bare.map(({ title, empty }) => html`<div><dt>${title}</dt><dd>${empty}</dd></div>`)}</dl>`;
}

function tableHtml({ title, columns, rows, empty }: FactTable): SafeHtml {
  if (rows.length === 0) return html`<h2>${title}</h2><p>${empty}</p>`;
  const isCount = columns.map((_, i) => rows.every((row) => /^[\d,]*$/.test(row[i] ?? '')));
  const look = (i: number) => (isCount[i] ? 'num' : '');
  return html`<h2>${title}</h2>
<div class="scroll whole" tabindex="0" role="region" aria-label="${title}"><table class="stack"><thead><tr>${columns.map((name, i) => html`<th scope="col" class="${look(i)}">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => html`<td class="${look(i)}" data-name="${columns[i] ?? ''}">${cellHtml(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** A moment as people read it: `2026-11-27 08:37 UTC`. */
function cellHtml(text: string): string | SafeHtml {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text;
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
}

/** The frame of the explorer; its script draws the rest. */
export function explorePage(frame: Pick<PageFrame, 'kind' | 'isTrusted'>, now: number): string {
  return pageDocument(
    { ...frame, title: 'Explorer', at: '/explore', script: 'explore.js' },
    html`<noscript><p>The explorer needs JavaScript. <code>macro mirror status</code> lists the series, and each has a command of its own.</p></noscript>
<div id="explorer" data-now="${now}"></div>`,
  );
}

const ACCESS = {
  public: 'Needs no key.',
  usd: 'Needs a key, except for USD.',
  keyed: 'Needs a key.',
} as const;

/** The page at `/docs`: every route, its parameters and where to try it, from the descriptions that the routes come from. */
export function referencePage(frame: Pick<PageFrame, 'kind' | 'isTrusted'>, routes: readonly ServedRoute[]): string {
  const known = GROUPS.filter((group) => routes.some(({ endpoint }) => endpoint.group === group));
  return pageDocument(
    { ...frame, title: 'Reference', at: '/docs', script: 'docs.js' },
    html`<p>All routes are below <code>/v1</code> and <code>/api/v1</code>. <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1)
has the whole contract, with the shape of each answer. A key goes into the header <code>X-API-Key</code>.</p>
<div id="key"></div>
<div class="sides"><nav class="side" aria-label="Routes"><div id="search"></div>${known.map(
      (group) =>
        html`<details open><summary>${group}</summary><ul>${routes
          .filter(({ endpoint }) => endpoint.group === group)
          .map(
            ({ endpoint }) =>
              html`<li><a href="#${endpoint.id}">${pathHtml(endpoint.path.replace(/^\/v1/, ''))}</a></li>`,
          )}</ul></details>`,
    )}</nav><div>
${known.map(
  (group) => html`<section class="group" aria-labelledby="${idOf(group)}"><h2 id="${idOf(group)}">${group}</h2>
${routes.filter(({ endpoint }) => endpoint.group === group).map(routeHtml)}</section>`,
)}</div></div>`,
  );
}

const idOf = (group: string) => group.replace(/\W+/g, '-');

function routeHtml({ endpoint, methods }: ServedRoute): SafeHtml {
  const { path, doc, access, at, query } = endpoint;
  const verbs = methods.filter((verb) => verb !== 'HEAD').join(', ');
  const params = [...parameters(at, 'path'), ...parameters(query, 'query')];
  return html`<details class="route" id="${endpoint.id}"><summary><code>${verbs} ${pathHtml(path)}</code> <strong>${doc.summary}</strong>
${doc.description === undefined ? html`` : html`<span>${proseHtml(doc.description)}</span>`}</summary>
<p class="quiet">${ACCESS[access.class]}</p>
${params.length === 0 ? html`<p>It takes no parameters.</p>` : paramTable(endpoint.id, params)}
<p>Example: <code>${exampleOf(endpoint)}</code></p>
${methods.includes('GET') && endpoint.body.kind !== 'stream' ? html`<div class="try" data-path="${path}" data-example="${exampleOf(endpoint)}"></div>` : html``}
</details>`;
}

/** A path that may break behind its slashes. */
const pathHtml = (path: string) => path.split('/').map((part, i) => (i === 0 ? html`${part}` : html`/<wbr>${part}`));

/** A sentence whose words in backticks are code. */
const proseHtml = (text: string) =>
  text.split('`').map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly param: Param;
}

function parameters(params: Endpoint['query'], place: Parameter['place']): readonly Parameter[] {
  return Object.entries(params).map(([name, param]) => ({ name, place, param }));
}

function paramTable(id: string, params: readonly Parameter[]): SafeHtml {
  return html`<div class="scroll whole" tabindex="0" role="region" aria-label="Parameters of ${id}"><table class="stack"><thead><tr>
<th scope="col">name</th><th scope="col">in</th><th scope="col">meaning</th><th scope="col">type</th></tr></thead><tbody>${params.map(
    ({
      name,
      place,
      param,
    }) => html`<tr><td><code>${name}</code>${param.required ? ' (required)' : ''}</td><td data-name="in">${place}</td>
<td class="long" data-name="meaning">${proseHtml(param.doc)}</td><td class="long" data-name="type">${typeOf(param)}</td></tr>`,
  )}</tbody></table></div>`;
}

const MAX_LISTED_WORDS = 12;

function typeOf({ kind, words, schema }: Param): string {
  const standard = schema.default === undefined ? '' : `; default ${toJsonText(schema.default)}`;
  if (words.length === 0) return `${kind}${standard}`;
  const more = words.length > MAX_LISTED_WORDS ? `, … (${words.length})` : '';
  return `${words.slice(0, MAX_LISTED_WORDS).join(', ')}${more}${standard}`;
}

function exampleOf({ path, doc }: Endpoint): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(doc.example[name] ?? name));
  const query = new URLSearchParams(doc.exampleQuery).toString().replaceAll('%2C', ',');
  return query === '' ? filled : `${filled}?${query}`;
}

interface PageFrame {
  readonly title: string;
  /** Path of the page. */
  readonly at: '/' | '/explore' | '/docs';
  /** Name of its script among the assets. */
  readonly script: string;
  /** The data are made up, or nobody knows yet. */
  readonly kind: 'real' | 'synthetic' | undefined;
  /** The reader is trusted without a key. */
  readonly isTrusted: boolean;
}

const PAGES = [
  ['/', 'Mirror'],
  ['/explore', 'Explorer'],
  ['/docs', 'Reference'],
] as const;

/** A whole document. There is no script and no style in it, so that the policy can forbid them. */
function pageDocument({ title, at, script, kind, isTrusted }: PageFrame, content: SafeHtml): string {
  const links = PAGES.map(([path, name]) =>
    path === at ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/assets/page.css">
<script type="module" src="/pages/assets/${script}"></script>
</head>
<body data-trusted="${isTrusted ? 'yes' : 'no'}">
<a class="skip" href="#content">Skip to content</a>
<header><strong>macro</strong><nav aria-label="Pages">${links}</nav></header>
<main id="content">
${kindBanner(kind)}
<h1>${title}</h1>
${content}
</main>
<footer>Everything on this page comes from this server. <a href="/openapi.json">openapi.json</a></footer>
</body>
</html>
`.html;
}

function kindBanner(kind: PageFrame['kind']): SafeHtml {
  if (kind !== 'synthetic') return html``;
  return html`<p class="banner synthetic" role="note"><strong>MADE UP</strong> These data are synthetic. No number here is real.</p>`;
}

interface SafeHtml {
  readonly html: string;
}

type HtmlValue = string | number | SafeHtml | readonly SafeHtml[];

/** A template as HTML whose values are escaped, unless they were made here. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): SafeHtml {
  return { html: texts.map((text, i) => (i === 0 ? text : htmlOf(values[i - 1] ?? '') + text)).join('') };
}

function htmlOf(value: HtmlValue): string {
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (typeof value === 'object') return 'html' in value ? value.html : '';
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
