import { MAX_LISTED, type Missing, type PartialMark } from '../../contract/answer-members.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type BodyRow, type CutBody, cutBody } from '../../contract/json/body.ts';
import {
  isJsonObject,
  isTooDeep,
  type Json,
  type JsonObject,
  objectIn,
  readBoundedJson,
} from '../../contract/json/json.ts';
import { type Column, memberFor } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params/params.ts';
import { parseInstant } from '../../contract/time/time.ts';
import { hasEndlessNumber, whyNoAnswer } from '../../coverage/why-no-answer.ts';
import { MacroError } from '../../errors.ts';
import { oneLine, sentence } from '../text.ts';
import { isCutOff } from './body.ts';
import { errorWords, isWebPage, type RawReply } from './reply.ts';

/**
 * Cuts a 200 answer into rows, or says why it is none: no JSON, an error, no rows, another question.
 * @throws MacroError of kind `protocol`.
 */
export function readAnswer(endpoint: Endpoint, args: Args, reply: RawReply): CutBody {
  const value = parseBody(endpoint, reply);
  const cut = isJsonObject(value) ? attemptCut(endpoint, reply.text, value) : undefined;
  // A body that was cut is not too deep.
  if (!cut && isTooDeep(reply.text)) throw unfit(endpoint, 'is not JSON');
  if (!isJsonObject(value)) throw unfit(endpoint, 'is not a JSON object');
  if (!cut || cut.rows.length === 0) refuseDisguisedError(endpoint, value, cut !== undefined);
  if (!cut) throw unfit(endpoint, `has no rows where they belong (${whereRows(endpoint)})`);
  for (const row of cut.rows) checkKey(endpoint, row);
  if (hasEndlessNumber(reply.text, value)) throw unfit(endpoint, 'has a number that is too large for any reader');
  const why = whyNoAnswer(endpoint, args, { body: value, rows: cut.rows });
  if (why !== undefined) throw unfit(endpoint, oneLine(why));
  return cut;
}

function parseBody(endpoint: Endpoint, { text, headers }: RawReply): unknown {
  try {
    return readBoundedJson(text);
  } catch (cause) {
    if (isWebPage(headers, text))
      throw new MacroError('protocol', 'The service answered with a web page instead of data.', {
        code: 'not_json',
        hint: 'Check the address of the service (--base-url, MACRO_BASE_URL); a sign-in page or a proxy may stand before it.',
        cause,
      });
    if (isCutOff(text))
      throw new MacroError('upstream', `The answer of ${endpoint.id} broke off after ${text.length} characters.`, {
        code: 'truncated',
        hint: 'Try again later; nothing of it was stored.',
        cause,
      });
    throw unfit(endpoint, 'is not JSON', cause);
  }
}

/** Undefined when the body does not have the endpoint's shape. */
function attemptCut(endpoint: Endpoint, text: string, value: JsonObject): CutBody | undefined {
  try {
    return cutBody(endpoint.body, text, value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A 200 with the words of an error and no data is an error. An empty list with an `error` beside it is one too. */
function refuseDisguisedError(endpoint: Endpoint, body: JsonObject, isShaped: boolean): void {
  const { detail, code, extra } = errorWords(body);
  const isEmptyList = isShaped && endpoint.body.kind === 'list';
  const isError = isEmptyList ? typeof body.error === 'string' : detail !== undefined || code !== undefined;
  if (!isError || (endpoint.body.kind === 'document' && hasRequired(endpoint, body))) return;
  throw new MacroError('protocol', `The service answered 200 with an error inside: ${sentence(detail ?? code ?? '')}`, {
    extra,
    hint: 'Try again later; nothing of it was stored.',
    ...(code !== undefined && { code }),
  });
}

function hasRequired(endpoint: Endpoint, body: JsonObject): boolean {
  const { required } = endpoint.row;
  return Array.isArray(required) && required.every((name) => typeof name === 'string' && body[name] !== undefined);
}

function whereRows({ body }: Endpoint): string {
  if (body.kind === 'list') return `the list '${body.member}'`;
  return body.kind === 'map' ? 'objects by name' : 'the body itself';
}

function checkKey(endpoint: Endpoint, row: BodyRow): void {
  const keyName = endpoint.body.kind === 'map' ? endpoint.body.keyName : undefined;
  for (const column of endpoint.mirror?.key ?? []) {
    const value = column.name === keyName ? row.name : memberFor(row.value, column);
    if (!isKeyValue(column, value)) throw unfit(endpoint, `has a row without a usable '${column.name}'`);
  }
}

/** Integer keys are instants that some answers spell as ISO date-times. */
function isKeyValue(column: Column, value: Json | undefined): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'string' || value === '') return false;
  return column.type === 'text' || (column.type === 'integer' && parseInstant(value) !== undefined);
}

function unfit(endpoint: Endpoint, what: string, cause?: unknown): MacroError {
  return new MacroError('protocol', `The answer of ${endpoint.id} ${what}.`, {
    code: 'unexpected_answer',
    hint: 'Nothing of it was stored. Check the address of the service; if it is right, the service has changed.',
    ...(cause !== undefined && { cause }),
  });
}

/** The missing parts that another server states; unknown where only a header says it or the mark is unreadable. */
export function readMark(value: Json | undefined): PartialMark {
  const { missing, truncated, checked_at: checked } = objectIn(value);
  const parts = Array.isArray(missing) ? missing.flatMap(readMissing) : [];
  return {
    complete: false,
    missing: parts.slice(0, MAX_LISTED),
    ...((truncated === true || parts.length > MAX_LISTED) && { truncated: true }),
    ...(typeof checked === 'string' && { checked_at: oneLine(checked) }),
  };
}

function readMissing(part: Json): readonly Missing[] {
  if (!isJsonObject(part)) return [];
  const [from, to] = [boundIn(part.from), boundIn(part.to)];
  const series = typeof part.series === 'string' ? oneLine(part.series) : undefined;
  const member = typeof part.for === 'string' ? oneLine(part.for) : undefined;
  const range = to === undefined ? {} : { ...(from !== undefined && { from }), to };
  const missing = { ...range, ...(series !== undefined && { series }), ...(member !== undefined && { for: member }) };
  return Object.keys(missing).length === 0 ? [] : [missing];
}

function boundIn(value: Json | undefined): string | number | undefined {
  return typeof value === 'string' ? oneLine(value) : typeof value === 'number' ? value : undefined;
}
