// What every page has around its own content.
import { html, type SafeHtml } from './html.ts';

export interface PageFrame {
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
export function pageDocument({ title, at, script, kind, isTrusted }: PageFrame, content: SafeHtml): string {
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
${kindBanner(kind)}
<main id="content">
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
