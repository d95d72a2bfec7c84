import { wordsFor } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/hooks.ts';
import { type CutBody, patchRow } from '../../contract/json/body.ts';
import type { JsonObject, JsonText } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import { namesOf, neededBy, syncOf } from '../not-mirrored.ts';
import { effectOf, oddArguments } from '../question.ts';
import type { Question } from '../source.ts';

/** The part of an answer to some arguments that the mirror stores. */
export interface StoredPart {
  /** Arguments for which nothing of it is stored: they ask for other values than the rows of the series have. */
  readonly refused: readonly string[];
  /** The base question that the answer speaks of too. */
  readonly base: Args;
  /** Members that were added on request, in rows and beside them. */
  readonly cut: { readonly rows: readonly string[]; readonly beside: readonly string[] };
  /** The coverage by the answer: its window, its window once it is complete, or only its own rows. */
  readonly says: 'everything' | 'whole' | 'rows';
  /** The question is the base question itself. */
  readonly isBase: boolean;
}

/** More series than this are not named one by one. */
const FEW = 3;

/** The stored part of an answer follows from the effect of each argument. */
export function storedPartOf({ endpoint, args }: Pick<Question, 'endpoint' | 'args'>): StoredPart {
  const odd = oddArguments(endpoint, args);
  const effects = odd.map((name) => ({ name, effect: effectOf(endpoint, name) }));
  const names = (does: string) => effects.filter(({ effect }) => effect.does === does).map(({ name }) => name);
  const added = effects.flatMap(({ effect }) => (effect.does === 'adds' ? [effect] : []));
  return {
    refused: names('changes'),
    base: Object.fromEntries(Object.entries(args).filter(([name]) => !names('adds').includes(name))),
    cut: { rows: added.flatMap(({ rows }) => rows), beside: added.flatMap(({ beside }) => beside) },
    says: names('selects').length > 0 ? 'rows' : names('orders').length > 0 ? 'whole' : 'everything',
    isBase: odd.length === 0,
  };
}

/** True when the rows of an answer are stored; an unknown parameter may change what an answer is. */
export function isAnswerStored({ endpoint, args, extra = {} }: Question): boolean {
  if (endpoint.mirror === undefined || Object.keys(extra).length > 0) return false;
  return storedPartOf({ endpoint, args }).refused.length === 0;
}

/** The answer without the members that it would not have to the base question. */
export function cutToBase(cut: CutBody, { rows, beside }: StoredPart['cut']): CutBody {
  return {
    ...cut,
    ...(beside.length > 0 && withoutBeside(cut, beside)),
    rows: rows.length === 0 ? cut.rows : cut.rows.map((row) => ({ ...row, ...withoutMembers(row, rows) })),
  };
}

function withoutBeside(cut: CutBody, names: readonly string[]): Pick<CutBody, 'envelope' | 'envelopeText'> {
  const { value, text } = withoutMembers({ value: cut.envelope, text: cut.envelopeText }, names);
  return { envelope: value, envelopeText: text };
}

/** A row without the named members; it stays as spelled if it has none of them. */
function withoutMembers(
  received: { readonly value: JsonObject; readonly text: JsonText },
  names: readonly string[],
): { value: JsonObject; text: JsonText } {
  const { value, text } = received;
  if (!names.some((name) => Object.hasOwn(value, name))) return { value, text };
  return {
    value: Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))),
    text: patchRow(text, Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}

/** The sentence for a person that an answer is not stored, and which question would be. */
export function notStoredNotes(question: Question, caller: Caller): readonly string[] {
  const { endpoint, args, extra = {} } = question;
  if (caller.kind !== 'owner') return [];
  if (!endpoint.mirror) return endpoint.compose ? [madeOfOthers(question)] : [];
  const options = [
    ...Object.keys(extra).map((name) => `--param ${name}`),
    ...storedPartOf({ endpoint, args }).refused.map((name) => `--${name.replaceAll('_', '-')}`),
  ];
  if (options.length === 0) return [];
  const [words] = wordsFor(endpoint, args);
  const kept = words === undefined ? '' : `: macro ${words.toLowerCase()}`;
  return [`This answer is not stored, because the mirror stores the question without ${options.join(', ')}${kept}.`];
}

function madeOfOthers(question: Question): string {
  const names = namesOf(neededBy(question));
  const hint = names.length === 0 || names.length > FEW ? '' : ` Fill them with: ${syncOf(names)}`;
  return `This answer is computed from other series, so it is not stored itself.${hint}`;
}
