// The page at `/docs`: every route, its parameters and where to try it, from the descriptions that the routes come from.
import { type Endpoint, GROUPS } from '../../contract/endpoint.ts';
import { toJsonText } from '../../contract/json/json.ts';
import type { Param } from '../../contract/params/params.ts';
import type { ServedRoute } from '../routes.ts';
import { html, type SafeHtml } from './html.ts';
import { type PageFrame, pageDocument } from './layout.ts';

const ACCESS = {
  public: 'no key',
  usd: 'a key, but for USD',
  keyed: 'a key',
} as const;

/** Everything is in the document itself; the script adds forms to try a route. */
export function referencePage(frame: Pick<PageFrame, 'kind' | 'isTrusted'>, routes: readonly ServedRoute[]): string {
  const known = GROUPS.filter((group) => routes.some(({ endpoint }) => endpoint.group === group));
  return pageDocument(
    { ...frame, title: 'Reference', at: '/docs', script: 'docs.js' },
    html`<p>All routes stand below <code>/v1</code> and <code>/api/v1</code>. The whole contract, with the shape of each answer,
is <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). A key goes into the header <code>X-API-Key</code>.</p>
<div id="key"></div>
<nav aria-label="Groups"><ul class="groups">${known.map((group) => html`<li><a href="#${idOf(group)}">${group}</a></li>`)}</ul></nav>
${known.map(
  (group) => html`<section aria-labelledby="${idOf(group)}"><h2 id="${idOf(group)}">${group}</h2>
${routes.filter(({ endpoint }) => endpoint.group === group).map(routeHtml)}</section>`,
)}`,
  );
}

const idOf = (group: string) => group.replace(/\W+/g, '-');

function routeHtml({ endpoint, methods }: ServedRoute): SafeHtml {
  const { path, doc, access, at, query } = endpoint;
  const verbs = methods.filter((verb) => verb !== 'HEAD').join(', ');
  const params = [...parameters(at, 'path'), ...parameters(query, 'query')];
  return html`<details id="${endpoint.id}"><summary><code>${verbs} ${path}</code> <span>${doc.summary}</span></summary>
${doc.description === undefined ? html`` : html`<p>${doc.description}</p>`}
<p class="quiet">Needs ${ACCESS[access.class]}.</p>
${params.length === 0 ? html`<p>It takes no parameters.</p>` : paramTable(endpoint.id, params)}
<p>Example: <code>${exampleOf(endpoint)}</code></p>
${methods.includes('GET') && endpoint.body.kind !== 'stream' ? html`<div class="try" data-path="${path}" data-example="${exampleOf(endpoint)}"></div>` : html``}
</details>`;
}

interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly param: Param;
}

function parameters(params: Endpoint['query'], place: Parameter['place']): readonly Parameter[] {
  return Object.entries(params).map(([name, param]) => ({ name, place, param }));
}

function paramTable(id: string, params: readonly Parameter[]): SafeHtml {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters of ${id}"><table><thead><tr>
<th scope="col">name</th><th scope="col">in</th><th scope="col">meaning</th><th scope="col">type</th></tr></thead><tbody>${params.map(
    ({
      name,
      place,
      param,
    }) => html`<tr><td><code>${name}</code>${param.required ? ' (required)' : ''}</td><td>${place}</td>
<td class="long">${param.doc}</td><td class="long">${typeOf(param)}</td></tr>`,
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
  const query = new URLSearchParams(doc.exampleQuery).toString();
  return query === '' ? filled : `${filled}?${query}`;
}
