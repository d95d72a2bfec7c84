import { type Finding, MacroError } from '../../errors.ts';
import { isJsonObject, type Json, type JsonObject, objectIn, readJson } from '../json/json.ts';
import type { JsonSchema } from '../json/schema.ts';
import { isCalendarDate, parseInstant } from '../time/time.ts';
import { type Args, boundsFault, fault, notAmong, type RawArgs, textFault } from './param.ts';

/** A question in a JSON body, because an address is too short. It spells the query: `readParams` reads it. */
export interface PostRead {
  /** Shape of the body: the document copies it and bodies are stored to it. */
  readonly body: JsonSchema;
  toQuery(body: JsonObject): RawArgs['query'];
  /** The body that read arguments stand for. */
  toBody(args: Args): JsonObject;
}

/** A body of a megabyte can be wrong in a hundred thousand places. */
const MAX_FINDINGS = 100;

type Place = Finding['loc'];

/** The raw query of a request body. Throws everything that is wrong with its shape as one `usage` error. */
export function readBody(post: PostRead, bytes: Uint8Array, contentType: string | undefined): RawArgs['query'] {
  return post.toQuery(readPostedJson(post.body, bytes, contentType));
}

/** A request body that fits a schema. Throws everything that is wrong with it as one `usage` error. */
export function readPostedJson(schema: JsonSchema, bytes: Uint8Array, contentType: string | undefined): JsonObject {
  return checkBody(schema, parseBody(bytes, contentType));
}

/** A body that fits its schema, with the same findings for client and server. @throws MacroError of kind `usage`. */
export function checkBody(schema: JsonSchema, body: unknown): JsonObject {
  const findings = bodyFindings(schema, body).slice(0, MAX_FINDINGS);
  if (findings.length > 0 || !isJsonObject(body)) throw wrongBody(findings);
  return body;
}

function parseBody(bytes: Uint8Array, contentType = ''): unknown {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim())) throw notJson();
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw notJson('JSON decode error');
  }
}

/** The refusal of a body that is no JSON, or says that it is something else. */
export function notJson(msg = 'The body should be sent as application/json'): MacroError {
  return wrongBody([{ loc: ['body'], msg, type: 'json_invalid', input: null }]);
}

function wrongBody(findings: readonly Finding[]): MacroError {
  const message = findings.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return new MacroError('usage', `The body cannot be read: ${message}.`, { status: 422, findings });
}

/** Turns findings about the query into findings about its body. @throws MacroError of kind `usage`. */
export async function inBodyWords<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MacroError) || error.findings.length === 0) throw error;
    throw wrongBody(
      error.findings.map((finding) => ({
        ...finding,
        loc: finding.loc[0] === 'query' ? ['body', ...finding.loc.slice(1)] : finding.loc,
      })),
    );
  }
}

/** Differences from a schema. Knows objects, bounded lists, texts, whole numbers, choices and null. */
function bodyFindings(schema: JsonSchema, value: unknown, loc: Place = ['body']): readonly Finding[] {
  const types = typesOf(schema);
  if (value === null && types.includes('null')) return [];
  if (types.includes('object')) return objectFindings(schema, value, loc);
  if (types.includes('array')) return listFindings(schema, value, loc);
  if (types.includes('string') && typeof value === 'string') return textFindings(schema, value, loc);
  if (types.includes('integer') && typeof value === 'number' && Number.isInteger(value))
    return countFindings(schema, value, loc);
  if (types.includes('integer') && !types.includes('string'))
    return [finding(loc, value, { type: 'int_parsing', msg: 'Input should be a valid integer' })];
  return [finding(loc, value, { type: 'value_error', msg: 'Value error, input should be a valid string' })];
}

function typesOf({ type }: JsonSchema): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

function objectFindings(schema: JsonSchema, value: unknown, loc: Place): readonly Finding[] {
  if (!isJsonObject(value))
    return [finding(loc, value, { type: 'value_error', msg: 'Value error, input should be an object' })];
  const members = objectIn(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => finding([...loc, name], null, { type: 'missing', msg: 'Field required' }));
  const extra = Object.keys(value)
    .filter((name) => schema.additionalProperties === false && !Object.hasOwn(members, name))
    .map((name) =>
      finding([...loc, name], value[name], { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }),
    );
  const inside = Object.entries(members).flatMap(([name, member]) =>
    Object.hasOwn(value, name) && isJsonObject(member) ? bodyFindings(member, value[name], [...loc, name]) : [],
  );
  return [...missing, ...inside, ...extra];
}

function listFindings(schema: JsonSchema, value: unknown, loc: Place): readonly Finding[] {
  if (!Array.isArray(value)) return [finding(loc, value, { type: 'list_type', msg: 'Input should be a valid list' })];
  const { minItems: least, maxItems: most, items } = schema;
  const wrong = (rule: string) => [finding(loc, null, { type: 'value_error', msg: `Value error, ${rule}` })];
  if (typeof least === 'number' && value.length < least) return wrong(`at least ${least} of them are needed, got none`);
  // A list that is too long is not looked into: its findings would be as long.
  if (typeof most === 'number' && value.length > most)
    return wrong(`at most ${most} of them are allowed, got ${value.length}`);
  return isJsonObject(items) ? value.flatMap((item, i) => bodyFindings(items, item, [...loc, i])) : [];
}

function textFindings(schema: JsonSchema, text: string, loc: Place): readonly Finding[] {
  const { pattern, enum: choices, format, minLength: min, maxLength: max } = schema;
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
  const found = textFault(text, { min, max, pattern: form }) ?? choiceFault(choices, text) ?? formatFault(format, text);
  return found ? [finding(loc, text, found.fault)] : [];
}

function choiceFault(choices: Json | undefined, text: string) {
  return Array.isArray(choices) && !choices.includes(text) ? notAmong(choices.map(String)) : undefined;
}

function formatFault(format: Json | undefined, text: string) {
  if (format === 'date' && !isCalendarDate(text))
    return fault('date_from_datetime_parsing', 'Input should be a valid date in the format YYYY-MM-DD');
  if (format === 'instant' && parseInstant(text) === undefined)
    return fault('value_error', 'Value error, input should be a date, an ISO 8601 date-time or Unix seconds');
  return undefined;
}

function countFindings({ minimum: min, maximum: max }: JsonSchema, count: number, loc: Place): readonly Finding[] {
  const found = boundsFault(count, { min, max });
  return found ? [finding(loc, count, found.fault)] : [];
}

/** Only plain values are repeated: a nested one may be as large as the body. */
function finding(loc: Place, value: unknown, what: Pick<Finding, 'type' | 'msg' | 'ctx'>): Finding {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { loc, ...what, input: isPlain ? String(value).slice(0, 200) : null };
}
