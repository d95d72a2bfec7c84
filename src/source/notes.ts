import type { SyncStrategy } from '../contract/mapping.ts';
import { heldInPart } from '../derive/held-in-part.ts';
import { endpointById } from '../endpoints/index.ts';
import type { HeldSeries } from '../mirror/mirror.ts';
import type { MirrorQuestion } from './answer.ts';
import { wordsFor } from './not-mirrored.ts';
import { provenAt } from './proven.ts';

/** Strategies that leave a proof of what a window holds. */
const PROVING: ReadonlySet<string> = new Set(['history', 'pages', 'spans', 'window']);

/**
 * Sentences that keep a person from taking a part for the whole: the asked window is not proven complete, or the service
 * has not confirmed it for longer than the endpoint's freshness. Served callers never see them.
 */
export async function coverageNotes(ask: MirrorQuestion, series: readonly HeldSeries[]): Promise<readonly string[]> {
  // Of what was held at a moment of the past nothing is proven.
  if (ask.caller.kind !== 'owner' || (ask.asOf && ask.asOf.by !== 'public')) return [];
  const notes: string[] = [];
  for (const held of series) {
    if (!PROVING.has(kindOf(held) ?? '')) continue;
    if ((await provenAt(await wanted(ask, held), held, 'keyless')) !== undefined) continue;
    const words = wordsFor(endpointById(held.endpoint), held.scope);
    // A sync looks ahead from a few days ago; what a schedule was before is kept when somebody asks for it.
    notes.push(...words.map((one) => heldInPart(one, kindOf(held) === 'window' ? 'live' : 'sync')));
  }
  return notes;
}

/**
 * What has to be proven. Of a series without a row nobody can say what came before the window, and answers tell of that:
 * there it is everything.
 */
async function wanted(ask: MirrorQuestion, held: HeldSeries): Promise<MirrorQuestion> {
  const window = ask.question.endpoint.mirror?.window;
  const [any] = await ask.reader.rows(held, {}, { limit: 1, offset: 0 });
  if (any || !window) return ask;
  return { ...ask, visible: { ...ask.visible, args: { ...ask.visible.args, [window.from]: undefined } } };
}

function kindOf({ endpoint }: HeldSeries): SyncStrategy['kind'] | undefined {
  return endpointById(endpoint)?.mirror?.sync.kind;
}
