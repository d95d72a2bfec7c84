import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { isJsonObject, type JsonObject, parseObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

/** A body with status 200 that answers nothing, and what is wrong with it. */
type Spoiled = readonly [what: string, body: string];

const ECHOES = ['currency', 'indicator', 'base', 'quote', 'factor', 'session', 'report', 'view'] as const;
const STARTS = ['requested_start_date', 'start_date'] as const;

/** Every way in which the honest body of a question is made one that answers nothing. */
function spoiledOf(endpoint: Endpoint, asked: JsonObject, honest: JsonObject): readonly Spoiled[] {
  const { body, required = [] } = endpoint;
  const list: JsonObject = body.kind === 'list' ? { [body.member]: [] } : {};
  const made: [string, JsonObject][] = [
    ['nothing at all', {}],
    ['errors beside an empty list', { ...list, errors: ['backend timeout'] }],
    ['a status of error beside an empty list', { ...list, status: 'error', message: 'try later' }],
    ...(body.kind === 'list'
      ? ([
          ['an empty list alone', list],
          ['the honest members with errors and no rows', { ...honest, ...list, errors: [{ message: 'shard 3' }] }],
        ] satisfies [string, JsonObject][])
      : []),
    ...required.map((name): [string, JsonObject] => [`no ${name}`, without(honest, name)]),
    ...ECHOES.filter((name) => typeof asked[name] === 'string' && typeof honest[name] === 'string').map(
      (name): [string, JsonObject] => [`another ${name}`, { ...honest, [name]: 'other' }],
    ),
    ...STARTS.filter((name) => typeof honest[name] === 'string' && typeof asked.start_date === 'string')
      .slice(0, 1)
      .map((name): [string, JsonObject] => ['another window', { ...honest, [name]: '1901-01-01' }]),
  ];
  const page = '<!doctype html><html><body>Sign in</body></html>';
  return [['a web page', page], ...made.map(([what, value]): Spoiled => [what, JSON.stringify(value)])];
}

function without(body: JsonObject, name: string): JsonObject {
  const [first = '', ...rest] = name.split('.');
  const { [first]: inner, ...others } = body;
  return rest.length > 0 && isJsonObject(inner) ? { ...others, [first]: without(inner, rest.join('.')) } : others;
}

/** Everything that an answer can change in a mirror. */
async function stateOf(mirror: Mirror): Promise<unknown> {
  const accesses = ['keyless', 'key:b6ff0bbd'] as const;
  const series = (await Promise.all(ENDPOINTS.map(({ id }) => mirror.find({ endpoint: id, scope: {} })))).flat();
  const states = series.map(async (one) => ({
    ...one,
    rows: (await mirror.rows(one, {})).map(({ text }) => text),
    coveredRanges: await Promise.all(accesses.map((access) => mirror.coveredRanges(one, access))),
    positions: await Promise.all(accesses.map((access) => mirror.walk(one, access))),
  }));
  return { series: await Promise.all(states), newest: await mirror.journal.newest() };
}

/** A service whose answers may be replaced, a mirror that is filled from it, and one clock for both. */
async function world() {
  const { platform, clock } = testPlatform();
  const service = await serviceOver(await sandboxMirror(platform), platform);
  let spoiled: string | undefined;
  const fetch: Fetch = (url, init) =>
    spoiled === undefined
      ? service.fetch(url, init)
      : Promise.resolve(
          new Response(spoiled, { headers: { 'content-type': 'application/json', etag: 'W/"spoiled"' } }),
        );
  const mirror = await freshMirror(platform, 'filled.db');
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  return { clock, client, mirror, answerWith: (body: string | undefined) => (spoiled = body) };
}

const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'an answer',
    (error: unknown) => (error instanceof MacroError ? error.kind : String(error)),
  );

describe('errors are not emptiness', () => {
  it.each(EACH)('%s: a spoiled body with status 200 is refused, and the mirror is what it was', async (_, endpoint) => {
    const { clock, client, mirror, answerWith } = await world();
    const live = createLiveSource({ client, mirror });
    const windowed = endpoint.query.start_date ? { start_date: '2026-09-01', end_date: '2026-11-20' } : {};
    const { path, query } = exampleOf(endpoint);
    const { args } = readParams(
      endpoint,
      { path, query: { ...windowed, ...query } },
      { mode: 'strict', now: clock.now() },
    );
    const context = { caller: { kind: 'owner' }, now: clock.now() } as const;
    const honest = parseObject((await live.ask({ endpoint, args }, context)).body);
    const before = await stateOf(mirror);
    const asked = Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value === 'string'));
    const found: string[] = [];
    for (const [what, body] of spoiledOf(endpoint, asked as JsonObject, honest)) {
      answerWith(body);
      const kind = await kindOf(live.ask({ endpoint, args }, context));
      if (kind !== 'protocol') found.push(`${what}: ${kind}`);
    }
    expect(found).toEqual([]);
    expect(await stateOf(mirror)).toEqual(before);
  });

  it.each([
    'calendar usd',
    'announcements usd inflation',
    'announcements changes',
    'catalogue usd',
    'fx eur usd',
    'commodities gold',
    'sentiment',
    'predictions coverage usd',
  ])('a sync of %s ends with it, and stores, withdraws and covers nothing', async (words) => {
    const { clock, client, mirror, answerWith } = await world();
    const targets = await selectTargets([words], {
      endpoints: ENDPOINTS,
      now: clock.now(),
      indicatorsOf: async () => [],
    });
    const sync = () => runSync({ client, mirror, clock, targets, maxAge: 0, check: true });
    expect((await sync()).outcome).toBe('complete');
    const before = await stateOf(mirror);
    for (const body of ['{"data":[],"errors":["backend timeout"]}', '{"data":[]}', '{}', '{"error":{"message":"x"}}']) {
      answerWith(body);
      expect([body, (await sync()).kind]).toEqual([body, 'protocol']);
    }
    expect(await stateOf(mirror)).toEqual(before);
  });
});
