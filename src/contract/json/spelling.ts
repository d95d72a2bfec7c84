import { asJsonText, type JsonText, jsonEqual, readJson, toJsonText } from './json.ts';
import { memberSpans } from './scan.ts';

/**
 * The text of an object whose members are spelled as they are in one of the other objects, wherever they still have that
 * value: `-150.0` that the service sent does not become `-150`, and a number with more digits than a float keeps them.
 * Members that are `undefined` are left out.
 */
export function spelledLike(members: Readonly<Record<string, unknown>>, texts: readonly string[]): JsonText {
  const spellings = texts.map(
    (text) => new Map(memberSpans(text).map(({ name, start, end }) => [name, { text, start, end }])),
  );
  const parts = Object.entries(members).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const known = spellings.flatMap((spelling) => spelling.get(name) ?? []);
    const own = known.map(({ text, start, end }) => text.slice(start, end)).find((text) => isTextOf(text, value));
    return [`${JSON.stringify(name)}:${own ?? toJsonText(value)}`];
  });
  return asJsonText(`{${parts.join(',')}}`);
}

function isTextOf(text: string, value: unknown): boolean {
  return jsonEqual(readJson(text), value);
}
