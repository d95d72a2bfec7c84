// The frame of the explorer; its script draws the rest.
import { html } from './html.ts';
import { type PageFrame, pageDocument } from './layout.ts';

export function explorePage(frame: Pick<PageFrame, 'kind' | 'isTrusted'>, now: number): string {
  return pageDocument(
    { ...frame, title: 'Explorer', at: '/explore', script: 'explore.js' },
    html`<noscript><p>The explorer needs JavaScript. <code>macro mirror status</code> lists the series, and each has a command of its own.</p></noscript>
<div id="explorer" data-now="${now}"></div>`,
  );
}
