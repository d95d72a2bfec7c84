import { asJsonText, type JsonText, jsonEqual, readJson, toJsonText } from './json.ts';
import { perText } from './per-text.ts';
import { memberSpans } from './scan.ts';

/**
 * The text of an object whose members are spelled as they are in one of the other objects, wherever they still have that
 * value: `-150.0` that the service sent does not become `-150`, and a number with more digits than a float keeps them.
 * Members that are `undefined` are left out.
 */
export function spelledLike(members: Readonly<Record<string, unknown>>, texts: readonly string[]): JsonText {
  const spellings = texts.map(spellingsIn);
  const parts: string[] = [];
  for (const [name, value] of Object.entries(members))
    if (value !== undefined) parts.push(`${JSON.stringify(name)}:${textOfMember(name, value, spellings)}`);
  return asJsonText(`{${parts.join(',')}}`);
}

type Spelling = ReadonlyMap<string, { readonly text: string; readonly value: unknown }>;

/** The member that an object was last spelled as: what a series is called is told in each of its answers. */
const lastSpelled = new WeakMap<
  object,
  { readonly name: string; readonly spellings: readonly Spelling[]; readonly text: string }
>();

function textOfMember(name: string, value: unknown, spellings: readonly Spelling[]): string {
  if (typeof value !== 'object' || value === null) return spelled(name, value, spellings);
  const last = lastSpelled.get(value);
  if (last?.name === name && isSameList(last.spellings, spellings)) return last.text;
  const text = spelled(name, value, spellings);
  lastSpelled.set(value, { name, spellings, text });
  return text;
}

function isSameList(some: readonly Spelling[], others: readonly Spelling[]): boolean {
  return some.length === others.length && some.every((one, i) => one === others[i]);
}

function spelled(name: string, value: unknown, spellings: readonly Spelling[]): string {
  for (const spelling of spellings) {
    const own = spelling.get(name);
    if (own && jsonEqual(own.value, value)) return own.text;
  }
  return toJsonText(value);
}

const spellingsIn = perText(
  (whole): Spelling =>
    new Map(
      memberSpans(whole).map(({ name, start, end }) => {
        const text = whole.slice(start, end);
        return [name, { text, value: readJson(text) }];
      }),
    ),
);
