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
  const parts = Object.entries(members).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const known = spellings.flatMap((spelling) => spelling.get(name) ?? []);
    const own = known.find((one) => jsonEqual(one.value, value));
    return [`${JSON.stringify(name)}:${own?.text ?? toJsonText(value)}`];
  });
  return asJsonText(`{${parts.join(',')}}`);
}

const spellingsIn = perText(
  (whole) =>
    new Map(
      memberSpans(whole).map(({ name, start, end }) => {
        const text = whole.slice(start, end);
        return [name, { text, value: readJson(text) }];
      }),
    ),
);
