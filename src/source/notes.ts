import type { WindowMapping } from '../contract/mapping.ts';
import { dateOf } from '../contract/time.ts';
import { endpointById } from '../endpoints/index.ts';
import type { HeldSeries } from '../mirror/mirror.ts';
import type { MirrorQuestion } from './answer.ts';
import { covers, coversSpan, listSpan } from './coverage.ts';
import { boundsOf } from './selection.ts';

/**
 * Sentences that keep a person from taking a part for the whole: the asked window is not proven complete, or the service
 * has not confirmed it for longer than the endpoint's freshness. Served callers never see them.
 */
export async function coverageNotes(ask: MirrorQuestion, series: readonly HeldSeries[]): Promise<readonly string[]> {
  if (ask.caller.kind !== 'owner') return [];
  const notes: string[] = [];
  for (const held of series) {
    if (await provenFor(ask, held)) continue;
    const name = [held.endpoint, ...Object.values(held.scope)].join(' ');
    notes.push(`The mirror holds ${name} only in part: rows may be missing. A sync completes it.`);
  }
  return notes;
}

/** True when every row of the asked window is proven to be held, under any access that the mirror has seen. */
export async function provenFor(
  ask: Pick<MirrorQuestion, 'question' | 'visible' | 'reader' | 'now'>,
  held: HeldSeries,
): Promise<boolean> {
  const mapping = endpointById(held.endpoint)?.mirror;
  if (mapping?.sync.kind === 'pages') return covers(await ask.reader.proofs(held, 'keyless'), listSpan(ask.now));
  if (mapping?.sync.kind === 'spans') return provenSpan(ask, held, mapping.window);
  if (mapping?.sync.kind !== 'history' || !mapping.window) return true;
  const { from, to } = boundsOf(mapping.window, ask.visible.args, ask.now);
  // A question without a window wants the newest of other endpoints' series, of which no proof speaks.
  if (held.endpoint !== ask.question.endpoint.id && from === undefined) return true;
  const proofs = await ask.reader.proofs(held, 'keyless');
  return covers(proofs, { from: String(from ?? ''), to: String(to ?? dateOf(ask.now)) });
}

async function provenSpan(
  { visible, reader, now }: Parameters<typeof provenFor>[0],
  held: HeldSeries,
  window: WindowMapping | undefined,
): Promise<boolean> {
  const { from, to } = window ? boundsOf(window, visible.args, now) : {};
  if (typeof from !== 'number' || typeof to !== 'number') return true;
  return coversSpan(await reader.proofs(held, 'keyless'), { from, to });
}
