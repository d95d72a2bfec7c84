import { endpointById } from '../endpoints/index.ts';
import type { HeldSeries } from '../mirror/mirror.ts';
import type { MirrorQuestion } from './answer.ts';
import { provenAt } from './proven.ts';

/** Strategies that leave a proof of what a window holds. */
const PROVING: ReadonlySet<string> = new Set(['history', 'pages', 'spans', 'window']);

/**
 * Sentences that keep a person from taking a part for the whole: the asked window is not proven complete, or the service
 * has not confirmed it for longer than the endpoint's freshness. Served callers never see them.
 */
export async function coverageNotes(ask: MirrorQuestion, series: readonly HeldSeries[]): Promise<readonly string[]> {
  if (ask.caller.kind !== 'owner') return [];
  const notes: string[] = [];
  for (const held of series) {
    if (!PROVING.has(endpointById(held.endpoint)?.mirror?.sync.kind ?? '')) continue;
    if ((await provenAt(ask, held, 'keyless')) !== undefined) continue;
    const name = [held.endpoint, ...Object.values(held.scope)].join(' ');
    notes.push(`The mirror holds ${name} only in part: rows may be missing. A sync completes it.`);
  }
  return notes;
}
