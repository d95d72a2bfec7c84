import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { memberFor } from '../../src/contract/mapping.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { EACH, exampleOf, plainRow } from './wire.ts';

const OWNER: Caller = { kind: 'owner' };

/** Values of parameters that have no closed list of them, and are no member of a row. */
const VALUES: Readonly<Record<string, string>> = {
  as_of: '2026-11-01T00:00:00Z',
  before_date: '2026-10-01',
  currencies: 'usd',
  currency: 'USD',
  date: '2026-11-10',
  end_date: '2026-11-30',
  end_tenor_years: '7',
  indicator: 'inflation',
  max_staleness_days: '30',
  official_limit: '1',
  require_common_date: 'true',
  start_date: '2026-11-01',
  start_tenor_years: '3',
  timezone: 'Asia/Tokyo',
};

/** Every parameter with a value that is not its default; those that have but one value are none. */
const CASES = EACH.flatMap(([id, endpoint]) =>
  Object.entries(endpoint.mirror?.effects ?? {}).flatMap(([name, effect]) => {
    // The sandbox answers from a mirror.
    if (effect.does === 'changes' && !effect.mirrored) return [];
    const param = endpoint.query[name];
    const usual = param?.fallback?.('');
    const words = param?.words.filter((word) => word !== String(usual)) ?? [];
    if (param && param.words.length > 0 && words.length === 0) return [];
    return [{ id, endpoint, name, word: VALUES[name] ?? words[0] }];
  }),
);

/** A value of a parameter that some row has: in the member of that name, as an id or as the name of a release. */
function valueIn(rows: readonly JsonObject[], name: string): string | undefined {
  const member = name === 'indicators' ? 'indicator' : name;
  const values = rows.map((row) => (name === 'indicator' ? (row.indicator ?? row.release) : row[member]));
  const [found] = values.map((value) => (isJsonObject(value) ? value.id : value));
  return typeof found === 'string' ? found : undefined;
}

/** Rows by key, without the members that depend on the question. */
function rowsByKey(endpoint: Endpoint, text: string): Readonly<Record<string, JsonObject>> {
  const { mirror, body } = endpoint;
  const named = cutBody(body, text).rows.map(({ name, value }) => {
    const key = mirror?.key.map((column) => memberFor({ ...value, slug: name }, column));
    return [JSON.stringify(key), plainRow(endpoint, value, mirror?.dependent)];
  });
  return Object.fromEntries(named);
}

function valueFor({ endpoint, name, word }: (typeof CASES)[number], rows: readonly JsonObject[]): string {
  const isFilter = endpoint.mirror?.effects?.[name]?.does === 'selects';
  return String((isFilter && name !== 'date' ? valueIn(rows, name) : undefined) ?? word);
}

async function world() {
  const { platform, clock } = testPlatform();
  const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
  const mirror = await freshMirror(platform, 'kept.db');
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const asked = (endpoint: Endpoint, query: Readonly<Record<string, string>>) => {
    const example = exampleOf(endpoint);
    // The example of curves asks for what follows from them.
    const raw = { path: example.path, query: { ...example.query, view: undefined, ...query } };
    return { endpoint, args: readParams(endpoint, raw, { mode: 'strict', now: clock.now() }).args };
  };
  const context = { caller: OWNER, now: clock.now() };
  const unkept = createLiveSource({ client });
  const live = createLiveSource({ client, mirror });
  const offline = createMirrorSource({ mirror, labels: LABELS });
  return { asked, context, unkept, live, offline, mirror };
}

describe('an answer to a question with one parameter', () => {
  it.each(CASES)('$id --$name: is shown again offline by the rows that came, or said not to be kept', async (one) => {
    const { endpoint, name } = one;
    const { asked, context, unkept, live, offline, mirror } = await world();
    const base = await unkept.ask(asked(endpoint, {}), context);
    const rows = cutBody(endpoint.body, base.body).rows.map(({ value }) => value);
    const question = asked(endpoint, { [name]: valueFor(one, rows) });
    const reply = await live.ask(question, context);
    if (endpoint.mirror?.effects?.[name]?.does === 'changes') {
      const option = `--${name.replaceAll('_', '-')}`;
      const told = reply.notes.filter((note) => note.includes('is not stored') && note.includes(option));
      expect([told.length, await mirror.find({ endpoint: endpoint.id, scope: {} })]).toEqual([1, []]);
      return;
    }
    const wire = rowsByKey(endpoint, reply.body);
    expect([reply.notes, Object.keys(wire).length > 0]).toEqual([[], true]);
    expect(rowsByKey(endpoint, (await offline.ask(question, context)).body)).toEqual(wire);
  });
});
