import type { JsonObject } from '../../contract/json/json.ts';
import { dateToMs, isoSeconds } from '../../contract/time/time.ts';
import { roundHalfEven } from '../../derive/round.ts';
import { regimeOf } from '../../derive/sentiment/score.ts';
import { hashOf, streamOf } from '../random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from '../rows.ts';
import type { World } from '../world.ts';

/** Sequences that a business day may use: every one of its changes has a place of its own, so later days only add. */
const PER_DAY = 4;

/** When a score is made and changed: late on its own day (seconds after midnight UTC), because rows of past days stay. */
const MADE_AT = 22 * 3600 + 300;
const STEP = 1800;

/** One in so many first scores is revised on the day after, and one in so many is only described anew. */
const REVISED = 9;
const DESCRIBED = 40;

/** How each score came to be what it is: its addition, and now and then a revision or a change of its description. */
export function generateSentimentChanges(world: World, scored: readonly SentimentDay[]): GeneratedSeries {
  const rows = scored.flatMap((day) => changesOf(world, day)).map((row) => rowOf('risk_sentiment_changes', row));
  return { endpoint: 'risk_sentiment_changes', scope: {}, envelope: { source: SANDBOX_LABEL }, rows };
}

function changesOf(world: World, { index, row }: SentimentDay): readonly JsonObject[] {
  const date = String(row.date);
  const hash = hashOf(world.seed, `sentiment/changes/${date}`);
  const before = hash % REVISED === 0 ? firstPrint(world, row) : undefined;
  const change = (place: number, type: string, members: JsonObject): JsonObject => ({
    change_sequence: index * PER_DAY + place,
    change_type: type,
    date,
    changed_at: isoSeconds(dateToMs(date) / 1000 + MADE_AT + place * STEP),
    ...members,
  });
  const { val = null, regime = null, components = null } = row;
  const current = { val, regime, components };
  const changes = [change(0, 'addition', before ?? current)];
  if (before) {
    const { val: previous_val = null, regime: previous_regime = null } = before;
    const changed_fields = previous_regime === regime ? ['val', 'components'] : ['val', 'regime', 'components'];
    changes.push(change(1, 'score_revision', { ...current, previous_val, previous_regime, changed_fields }));
  }
  if (hash % DESCRIBED === 1)
    changes.push(change(2, 'metadata_change', { ...current, changed_fields: ['component_metadata'] }));
  return changes;
}

/** The score before its revision: one component was a little different. */
function firstPrint(world: World, { date, components }: JsonObject): JsonObject {
  const nudge = roundHalfEven(0.05 * streamOf(world.seed, `sentiment/changes/${String(date)}`).normal(), 4);
  const parts = Object.entries(typeof components === 'object' && components !== null ? components : {});
  const [first] = parts.find(([, part]) => typeof part === 'number') ?? [];
  const members = parts.map(([name, part]): [string, number | null] => {
    if (typeof part !== 'number') return [name, null];
    return [name, name === first ? roundHalfEven(part + nudge, 4) : part];
  });
  const sum = members.reduce((total, [, part]) => total + (part ?? 0), 0);
  const val = roundHalfEven(Math.tanh(sum), 4);
  return { val, regime: regimeOf(val), components: Object.fromEntries(members) };
}

/** A day's score with the number of its business day, which no later data set changes. */
export interface SentimentDay {
  readonly index: number;
  readonly row: JsonObject;
}
