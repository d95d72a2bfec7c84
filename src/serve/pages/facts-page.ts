// The page at `/`: what this mirror is.
import { html, type SafeHtml } from './html.ts';
import { pageDocument } from './layout.ts';
import type { FactTable, MirrorFacts } from './page-data.ts';
import type { PageParts } from './page-parts.ts';

export interface FactsPageInput {
  readonly facts: MirrorFacts;
  /** Undefined for a reader who has shown no key. */
  readonly privateTables: readonly FactTable[] | undefined;
  readonly isTrusted: boolean;
  readonly service: string;
  readonly version: PageParts['version'];
}

const KIND_WORDS = { real: 'real data', synthetic: 'synthetic data', empty: 'empty: nothing is mirrored yet' } as const;

/** Facts are in the document itself, so that they need no script. */
export function factsPage({ facts, privateTables, isTrusted, service, version }: FactsPageInput): string {
  const { kind, lines, groups } = facts;
  const all = [['Data', KIND_WORDS[kind ?? 'empty']], ...lines, ['Served by', `macro ${version}`]] as const;
  return pageDocument(
    { title: `Mirror of ${service}`, at: '/', script: 'home.js', kind, isTrusted },
    html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${tableHtml(groups)}
<section id="private" aria-label="Quota, runs and webhooks">${privateTables ? privateTables.map(tableHtml) : keyNotice()}</section>
<section id="events" aria-labelledby="events-title"><h2 id="events-title">Live events</h2>
<noscript><p>Live events need JavaScript here. <code>macro stream</code> shows them in a terminal.</p></noscript>
<div id="event-list"></div></section>
<section><h2>Use it</h2>
<p>Answers stand at <code>/v1</code>. The <a href="/docs">reference</a> lists all routes, the <a href="/explore">explorer</a> shows series.</p></section>`,
  );
}

function keyNotice(): SafeHtml {
  return html`<h2>Quota, runs and webhooks</h2>
<p>These need a key of this server. With JavaScript you can enter one below; it stays in this tab.
Without it, ask with a header: <code>curl -H "X-API-Key: $KEY" http://HOST:PORT/</code></p>`;
}

function tableHtml({ title, columns, rows, empty }: FactTable): SafeHtml {
  if (rows.length === 0) return html`<h2>${title}</h2><p>${empty}</p>`;
  return html`<h2>${title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
