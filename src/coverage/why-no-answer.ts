import type { Endpoint } from '../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, objectIn } from '../contract/json/json.ts';
import { type ColumnMoment, memberFor } from '../contract/mapping.ts';
import type { Args } from '../contract/params/params.ts';
import { dateOf, instantOf, isCalendarDate } from '../contract/time/time.ts';

/** Arguments whose echo, where an answer has one, is the argument in any letter case. */
const ECHOED = [
  ...['currency', 'indicator', 'base', 'quote', 'factor', 'session', 'report', 'view', 'rate_type'],
  'prediction_source',
] as const;

/** Members that echo the bounds of a window, the exact ones first: each pair is judged only without those before it. */
const WINDOW_ECHOES = [
  ['requested_start_date', 'requested_end_date'],
  ['start_date', 'end_date'],
] as const;

/** An answer with status 200, as far as its shape could be read. */
export interface JudgedBody {
  readonly body: JsonObject;
  readonly rows: readonly { readonly value: JsonObject }[];
}

/** Why a 200 answer does not answer its question, as the end of a sentence; undefined where it does. */
export function whyNoAnswer(endpoint: Endpoint, args: Args, { body, rows }: JudgedBody): string | undefined {
  return (
    (rows.length === 0 && errorBeside(endpoint, body)) ||
    otherEcho(args, body) ||
    missingMember(endpoint, body, rows) ||
    laterThanAsked(endpoint, args, { body, rows })
  );
}

/** `errors` or `status: error` of an answer without rows; `message` alone is no error. */
function errorBeside({ body: { kind } }: Endpoint, body: JsonObject): string | undefined {
  const { errors, status } = body;
  const says = Array.isArray(errors) ? errors[0] : isJsonObject(errors) ? Object.values(errors)[0] : errors;
  const isListed = says !== undefined && says !== null && says !== false && says !== '';
  if (isListed) return `has an error and no rows: ${typeof says === 'string' ? says : JSON.stringify(says)}`;
  const isFailed = typeof status === 'string' && /^(error|fail|failed|failure)$/i.test(status);
  if (!isFailed && !(kind === 'list' && body.error === true)) return undefined;
  return typeof body.message === 'string' ? `has an error and no rows: ${body.message}` : 'has an error and no rows';
}

function missingMember(endpoint: Endpoint, body: JsonObject, rows: JudgedBody['rows']): string | undefined {
  const { required = [], body: shape, envelope } = endpoint;
  const missing = required.find((name) => !isThere(memberFor(body, { name, type: 'text', from: name })));
  if (missing !== undefined) return `has no member '${missing}'`;
  if (rows.length > 0) return undefined;
  if (shape.kind === 'map') return 'has not one entry with a name';
  if (shape.kind === 'document') return Object.keys(body).length > 0 ? undefined : 'is an empty object';
  const beside = [...Object.keys(objectIn(envelope?.properties)), 'pagination', 'count', 'has_more'];
  const isTold = beside.some((name) => isThere(body[name]));
  return isTold ? undefined : 'is an empty list with nothing beside it';
}

/** An answer may spell a missing member as null. */
const isThere = (value: Json | undefined): boolean => value !== undefined && value !== null;

function otherEcho(args: Args, body: JsonObject): string | undefined {
  for (const name of ECHOED) {
    const [asked, echo] = [args[name], body[name]];
    if (typeof asked !== 'string' || typeof echo !== 'string') continue;
    if (asked.toLowerCase() !== echo.toLowerCase()) return `is about ${name} '${echo}', but '${asked}' was asked for`;
  }
  const [first, last] = [args.start_date, args.end_date];
  const echoed = WINDOW_ECHOES.find((names) => names.some((name) => isDate(body[name])));
  const [start, end] = (echoed ?? []).map((name) => body[name]);
  const isBefore = isDate(first) && isDate(start) && start < first;
  const isBehind = isDate(last) && isDate(end) && end > last;
  // A bound may be clipped to what the caller may see or to what there is, so that only a wider window is another one.
  if (isBefore || isBehind || (isDate(first) && isDate(end) && end < first && isDate(start) && start <= end))
    return `is about ${start} to ${end}, but ${first ?? 'the beginning'} to ${last ?? 'today'} was asked for`;
  return undefined;
}

const isDate = (value: unknown): value is string => typeof value === 'string' && isCalendarDate(value);

/** Members of a row that tell when its value became public. */
const RELEASED: readonly ColumnMoment[] = [
  { from: 'announcement_datetime' },
  { from: 'start_announcement_datetime' },
  { from: 'end_announcement_datetime' },
];

/** Lists, in a row or beside all of them, of what somebody said at a moment, and the members that tell it. */
const SAID = Object.entries({
  predictions: ['generated_at'],
  official_forecasts: ['publication_datetime', 'publication_date'],
});

/** The first fact of an answer that is later than its moment. Forecasts, schedules and captures may be. */
function laterThanAsked(endpoint: Endpoint, args: Args, { body, rows }: JudgedBody): string | undefined {
  const moment = instantOf(args.as_of);
  if (moment === undefined) return undefined;
  const { namesMoment: from } = endpoint;
  const named = from === undefined ? undefined : momentIn(body, { from });
  if (from !== undefined && named === undefined) return `does not name its moment in '${from}'`;
  if (named !== undefined && named !== moment) return 'is as of another moment than was asked for';
  const late = rows.find(({ value }) => isLater(endpoint, value, { moment, by: args.availability }));
  if (late)
    return `has a row of ${String(late.value.date ?? 'a later time')} that was not known at the moment asked for`;
  return saidLater(body, moment) ? 'has a forecast that was made after the moment asked for' : undefined;
}

function isLater(
  { mirror, sameAs, query }: Endpoint,
  row: JsonObject,
  { moment, by }: { readonly moment: number; readonly by: Args[string] },
): boolean {
  if (SAID.some(([list]) => row[list] !== undefined)) return saidLater(row, moment);
  const known = momentIn(row, { from: 'selected_vintage_known_at_ns', unit: 'ns' });
  if (known !== undefined) return known > moment;
  // A schedule of a moment names releases that are ahead of it.
  if (query.as_of?.required) return (momentIn(row, { from: 'captured_at' }) ?? moment) > moment;
  const { captured = [] } = sameAs?.endpoint.mirror ?? mirror ?? {};
  const members = by === 'captured' ? captured : RELEASED;
  const times = members.flatMap((time) => momentIn(row, time) ?? []);
  if (times.length > 0) return (by === 'captured' ? Math.min(...times) : Math.max(...times)) > moment;
  return isDate(row.date) && row.date > dateOf(moment * 1000);
}

function saidLater(owner: JsonObject, moment: number): boolean {
  return SAID.some(([list, at]) => {
    const items = owner[list];
    return (Array.isArray(items) ? items : []).some((item) => {
      const saidAt = at.map((from) => momentIn(objectIn(item), { from })).find((time) => time !== undefined);
      return saidAt !== undefined && saidAt > moment;
    });
  });
}

/** Unix seconds; undefined where the member is no instant. */
function momentIn(owner: JsonObject, { from, unit }: ColumnMoment): number | undefined {
  const value = memberFor(owner, { name: from, type: 'text', from });
  if (unit !== 'ns') return instantOf(value);
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(BigInt(value) / 1_000_000_000n) : undefined;
}

/** True for numbers that no reader of JSON holds, such as `1e400`: results would be infinite. */
export function hasEndlessNumber(text: string, value: unknown): boolean {
  return /\d{309}|[eE]\+?\d{3}/.test(text) && isEndless(value);
}

function isEndless(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(isEndless);
}
