// What all requests for pages of one server share.
import type { ServerParts } from '../options.ts';
import type { ServedRoute } from '../routes.ts';
import type { PageParts } from './page-parts.ts';

export interface PageContext {
  readonly parts: ServerParts;
  readonly pages: PageParts;
  readonly routes: readonly ServedRoute[];
  /** How much of what pages ask is under way. */
  readonly open: { streams: number; questions: number };
}
