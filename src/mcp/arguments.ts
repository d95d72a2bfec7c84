// Reads the arguments of a call. Their meaning is judged by whoever answers; here only their form is.

import { isJsonObject, objectIn } from '../contract/json/json.ts';
import type { JsonSchema } from '../contract/json/schema.ts';
import { MacroError } from '../errors.ts';
import type { RowWindow } from './tool-request.ts';

/** Rows of one result. */
export const DEFAULT_ROWS = 50;
export const MOST_ROWS = 500;
/** No honest argument is longer. */
const LONGEST = 20_000;

/** Arguments as texts, those of paging aside. */
export interface GivenToTool {
  readonly texts: Readonly<Record<string, string>>;
  /** Arguments that are objects themselves. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly limit: RowWindow['limit'];
  readonly cursor: string | undefined;
}

/**
 * @throws MacroError of kind `usage` for a name that the tool does not have, a value of a wrong type, and a missing one.
 */
export function readToolArguments(tool: string, given: unknown, schema: JsonSchema): GivenToTool {
  const properties = objectIn(schema.properties);
  if (given !== undefined && !isJsonObject(given)) throw wrong('The arguments are no object.', tool, properties);
  const texts: Record<string, string> = {};
  const objects: Record<string, Record<string, string>> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(properties, name))
      throw wrong(`${tool} has no argument '${name.slice(0, 60)}'.`, tool, properties);
    if (value === null) continue;
    if (objectIn(properties[name]).type === 'object') objects[name] = textsIn(tool, name, value);
    else texts[name] = textOf(tool, name, value);
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((name) => texts[String(name)] === undefined && objects[String(name)] === undefined);
  if (missing.length > 0) throw wrong(`${tool} needs ${missing.join(' and ')}.`, tool, properties);
  const { limit, cursor, ...others } = texts;
  return { texts: others, objects, limit: readLimit(limit), cursor };
}

function textsIn(tool: string, name: string, value: unknown): Record<string, string> {
  if (!isJsonObject(value)) throw wrongType(tool, name, 'an object');
  return Object.fromEntries(
    Object.entries(value).flatMap(([inner, one]) =>
      one === null ? [] : [[inner, textOf(tool, `${name}.${inner}`, one)]],
    ),
  );
}

function textOf(tool: string, name: string, value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return textOf(tool, name, value.join(','));
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw wrongType(tool, name, 'a string, a number, a truth value or a list of strings');
  const text = String(value);
  if (text.length <= LONGEST) return text;
  throw new MacroError('usage', `${name} of ${tool} is longer than ${LONGEST} characters.`, {
    code: 'bad_arguments',
    hint: 'Give less at once.',
  });
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROWS;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_ROWS) return Number(text);
  throw new MacroError('usage', `'${text.slice(0, 60)}' is no value for limit.`, {
    code: 'bad_arguments',
    hint: `Give a whole number from 1 to ${MOST_ROWS}; next_cursor leads to more rows.`,
  });
}

function wrongType(tool: string, name: string, legal: string): MacroError {
  return new MacroError('usage', `${name.slice(0, 60)} of ${tool} has a wrong type.`, {
    code: 'bad_arguments',
    hint: `Give ${legal}.`,
  });
}

function wrong(sentence: string, tool: string, properties: object): MacroError {
  return new MacroError('usage', sentence, {
    code: 'bad_arguments',
    hint: `Legal arguments of ${tool}: ${Object.keys(properties).join(', ')}.`,
  });
}
