import { isJsonObject, type Json, type JsonObject, readJson } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { Question, Reply } from '../../source/source.ts';

/**
 * What was left out of an answer because the events are gone or no key came with the question, for a person who would take it
 * for everything: rows say nothing of it. See docs/interface.md#window-without-a-key.
 */
export function leftOutNotes({ endpoint, args }: Question, reply: Reply): readonly string[] {
  const { from, parts } = reply;
  // Whoever has the parts does not put the rows together for the members beside them.
  const membersIn = () => parts?.envelope ?? reply.body;
  // Other answers have no such member, and their rows may be many.
  const lost = endpoint.mirror?.sync.kind === 'cursor' ? lostNotes(membersIn()) : [];
  if (from !== 'live' || endpoint.access.class === 'public') return lost;
  const members = memberTexts(membersIn(), ['freemium_window', 'freemium_delay', 'scope']);
  const [window, delay, scope] = members.map((text) => objectIn(text === undefined ? null : readJson(text)));
  const requested = endpoint.access.narrows === undefined ? undefined : args[endpoint.access.narrows];
  return [
    ...lost,
    ...windowNotes(window),
    ...delayNotes(delay),
    ...scopeNotes(requested, scope?.[endpoint.access.narrows ?? '']),
  ];
}

const NO_KEY = 'Without a key';

/** A feed from before what its origin still keeps: rows alone say nothing of it. */
function lostNotes(body: Reply['body']): readonly string[] {
  const [gap, oldest] = memberTexts(body, ['gap', 'oldest_available']);
  if (gap !== 'true') return [];
  const from = oldest === undefined ? '' : ` Every event is there from ${String(readJson(oldest))} on.`;
  return [`There is a gap: events of the asked time are missing in this answer.${from}`];
}

function windowNotes({ applied, cutoff_date: date }: JsonObject = {}): readonly string[] {
  if (applied !== true) return [];
  return [`${NO_KEY} nothing before ${typeof date === 'string' ? date : 'the last weeks'} is in this answer.`];
}

function delayNotes({ withheld_count: count, next_available_at: next }: JsonObject = {}): readonly string[] {
  if (typeof count !== 'number' || count <= 0) return [];
  const what = count === 1 ? '1 release is' : `${count} releases are`;
  const until = typeof next === 'number' ? `, the next one until ${isoSeconds(next)}` : '';
  return [`${NO_KEY} ${what} held back${until}.`];
}

/** Without a word about currencies, too, the answer is narrowed. */
function scopeNotes(requested: unknown, answered: Json | undefined): readonly string[] {
  if (!Array.isArray(answered) || (Array.isArray(requested) && requested.every((code) => answered.includes(code))))
    return [];
  return [`${NO_KEY} only ${answered.map((code) => String(code).toUpperCase()).join(', ')} is in this answer.`];
}

function objectIn(value: Json): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
