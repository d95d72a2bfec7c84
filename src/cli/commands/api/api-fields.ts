import { type Json, readJson } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';

/** A field that was typed: `name=text`, `name[]=item` for a list, `name:=json` for any value. */
export interface Field {
  readonly name: string;
  readonly value: Json;
  /** One item of a list. */
  readonly isItem: boolean;
}

export function readFields(typed: readonly string[]): readonly Field[] {
  return typed.map((text) => {
    const [, name, sign, value = ''] = /^([\w.-]{1,64})(\[\]:=|\[\]=|:=|=)([\s\S]*)$/.exec(text) ?? [];
    // What stands behind the sign could be a secret, so a refusal does not repeat it.
    if (name === undefined || sign === undefined)
      throw new MacroError('usage', 'A field is written name=value.', {
        code: 'bad_field',
        hint: 'Or name[]=value for an item of a list, name:=JSON for a number, true, null or any other value.',
      });
    return { name, isItem: sign.startsWith('[]'), value: sign.endsWith(':=') ? parseValue(name, value) : value };
  });
}

function parseValue(name: string, text: string): Json {
  try {
    return readJson(text);
  } catch (cause) {
    throw new MacroError('usage', `The value of ${name} is no JSON.`, {
      code: 'bad_field',
      hint: `Write ${name}=value for a text, ${name}:=3 for a number.`,
      cause,
    });
  }
}

/** The fields as the members of a JSON body; of a repeated one the last counts, items join in their order. */
export function bodyOf(fields: readonly Field[]): string {
  const members = new Map<string, Json>();
  for (const { name, value, isItem } of fields) {
    const before = members.get(name);
    members.set(name, isItem ? [...(Array.isArray(before) ? before : []), value] : value);
  }
  return JSON.stringify(Object.fromEntries(members));
}

/** The fields as query parameters; the items of a list stand in one, separated by commas. */
export function queryFromFields(fields: readonly Field[]): readonly (readonly [string, string])[] {
  const query = new Map<string, string>();
  for (const { name, value, isItem } of fields) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const before = query.get(name);
    query.set(name, isItem && before !== undefined ? `${before},${text}` : text);
  }
  return [...query];
}
