import type { Endpoint } from '../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../contract/json/schema.ts';
import type { Column, Mapping } from '../contract/mapping.ts';
import { dateToMs, isoSeconds } from '../contract/time/time.ts';
import { printed, randomWalk, streamOf } from './random-walks.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import { businessDays } from './schedule.ts';
import type { World } from './world.ts';

/** Series of an endpoint, where its path names more: each word of a closed choice is one. */
const MAX_SERIES = 5;
const LISTED_ROWS = 20;
/** Seconds after midnight at which a made-up observation becomes known. */
const RELEASE_TIME = 15 * 3600;

/** One made-up row: its date, its number, oldest first, and the measured value. */
interface MadeUp {
  readonly date: string;
  readonly at: number;
  readonly measured: number;
}

/** Series of an endpoint without a generator, from its row shape, table key and path words. */
export function* generateFromContract(world: World, endpoint: Endpoint): Iterable<GeneratedSeries> {
  if (!endpoint.mirror || endpoint.compose) return;
  for (const scope of scopesOf(endpoint)) yield { ...seriesOf(world, endpoint, scope), scope };
}

/** The example of the endpoint first, then what its path allows besides. */
function scopesOf({ at, doc, mirror }: Endpoint): readonly Readonly<Record<string, string>>[] {
  const names = mirror?.scope ?? [];
  const example = Object.fromEntries(names.flatMap((name) => (doc.example[name] ? [[name, doc.example[name]]] : [])));
  if (names.length !== 1) return Object.keys(example).length === names.length ? [example] : [];
  const [name = ''] = names;
  const param = at[name];
  const words = [...new Set([...Object.values(example), ...(param?.words ?? []), ...(param?.member?.set ?? [])])];
  return words.slice(0, MAX_SERIES).map((word) => ({ [name]: word }));
}

function seriesOf(world: World, { id, row, mirror, envelope }: Endpoint, scope: Readonly<Record<string, string>>) {
  const stream = streamOf(world.seed, [id, ...Object.values(scope)].join('/'));
  const key = mirror?.key ?? [];
  const dates = datesOf(world, mirror);
  // Over all dates, so that tomorrow only adds to them.
  const { values } = randomWalk({ kind: 'around', mean: 100, swing: 2, pull: 0.05 }, stream, dates.length);
  const moments = dates.map((date, at) => ({ date, at, measured: printed(values[at] ?? 0, 3) }));
  const shown = isDated(key) ? moments.filter(({ date }) => date >= world.since.brief) : moments;
  const rows = shown.map((moment) => rowOf(id, objectOf(row, moment, key)));
  const named = envelope ? objectOf(envelope, { date: world.today, at: 0, measured: 0 }, []) : {};
  return {
    endpoint: id,
    envelope: { ...named, ...scope, ...('source' in named && { source: SANDBOX_LABEL }) },
    rows: mirror?.order === 'newest' ? rows.reverse() : rows,
  };
}

function datesOf(world: World, mirror: Mapping | undefined): readonly string[] {
  if (isDated(mirror?.key ?? [])) return businessDays(world).map(({ date }) => date);
  return Array.from({ length: mirror?.sync.kind === 'document' ? 1 : LISTED_ROWS }, () => world.today);
}

function isDated([first]: readonly Column[]): boolean {
  return first?.name === 'date';
}

/** An object of a shape: the members that it requires, and the members that identify or order a row. */
function objectOf(shape: JsonSchema, moment: MadeUp, key: readonly Column[]): JsonObject {
  const required = new Set(Array.isArray(shape.required) ? shape.required : []);
  const members = Object.entries(propertiesOf(shape)).flatMap(([name, schema]) => {
    const isKey = key.some((column) => (column.from ?? column.name) === name);
    if (!isJsonObject(schema) || !(required.has(name) || isKey || isTime(name))) return [];
    return [[name, memberOf(name, schema, moment)] as const];
  });
  return Object.fromEntries(members);
}

function isTime(name: string): boolean {
  return name === 'announcement_datetime' || name === 'source';
}

function memberOf(name: string, schema: JsonSchema, moment: MadeUp): Json {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (Array.isArray(schema.enum)) return schema.enum[moment.at % schema.enum.length] ?? null;
  switch (type) {
    case 'number':
      return moment.measured;
    case 'integer':
      return /datetime|timestamp/.test(name) ? secondOf(moment) : moment.at + 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return objectOf(schema, moment, []);
    case 'string':
      return textOf(name, schema, moment);
    default:
      return null;
  }
}

function textOf(name: string, { format }: JsonSchema, moment: MadeUp): string {
  if (format === 'date') return moment.date;
  if (format === 'date-time') return isoSeconds(secondOf(moment));
  if (/url/.test(name)) return `${SANDBOX_URL}${name}/${moment.at + 1}`;
  return /source|publisher/.test(name) ? SANDBOX_LABEL : `Synthetic ${name.replaceAll('_', ' ')} ${moment.at + 1}`;
}

function secondOf({ date }: MadeUp): number {
  return dateToMs(date) / 1000 + RELEASE_TIME;
}
