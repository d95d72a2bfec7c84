import type { Caller } from '../../contract/hooks.ts';
import { namesOf, neededBy, syncOf, wordsFor } from '../coverage/not-mirrored.ts';
import type { Question } from '../source.ts';
import { keepingOf } from './keeping.ts';

/** More series than this are not named one by one. */
const FEW = 3;

/** The one sentence that tells a person that an answer is not kept, and which question would be. */
export function keepingNotes(question: Question, caller: Caller): readonly string[] {
  const { endpoint, args, extra = {} } = question;
  if (caller.kind !== 'owner') return [];
  if (!endpoint.mirror) return endpoint.compose ? [madeOfOthers(question)] : [];
  const options = [
    ...Object.keys(extra).map((name) => `--param ${name}`),
    ...keepingOf({ endpoint, args }).refused.map((name) => `--${name.replaceAll('_', '-')}`),
  ];
  if (options.length === 0) return [];
  const [words] = wordsFor(endpoint, args);
  const kept = words === undefined ? '' : `: macro ${words.toLowerCase()}`;
  return [`This answer is not kept. What is kept is the question without ${options.join(', ')}${kept}.`];
}

function madeOfOthers(question: Question): string {
  const names = namesOf(neededBy(question));
  const hint = names.length === 0 || names.length > FEW ? '' : ` Fill them with: ${syncOf(names)}`;
  return `This answer is made of other series and is not kept itself.${hint}`;
}
