import { hash } from 'node:crypto';
import type { CutBody } from '../contract/body.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { breach, moved } from './breach.ts';

/**
 * Watches the rows of one walk. A page that came before is a service that ignores its position; a row of the page before
 * is a list that has shifted under the walk, so that another row was counted but never seen. A page is known by its first
 * row, its last one and their number.
 */
export function createRepeatGuard(endpoint: Endpoint): (cut: CutBody) => void {
  const pages = new Set<string>();
  let before: ReadonlySet<string> = new Set();
  return ({ rows }) => {
    if (rows.length === 0) return;
    const texts = rows.map((row) => row.text);
    const page = hash('sha256', `${rows.length}\n${texts[0]}\n${texts.at(-1)}`, 'base64');
    if (pages.has(page)) throw breach(endpoint, 'a page came twice');
    pages.add(page);
    if (texts.some((text) => before.has(text))) throw moved(endpoint, 'a row of one page came again on the next');
    before = new Set(texts);
  };
}
