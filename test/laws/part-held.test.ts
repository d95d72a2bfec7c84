import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { StoredSeries } from '../../src/mirror/api/series.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { cutMirror } from '../support/cut-mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const OWNER: Caller = { kind: 'owner' };

/** Series that are taken away one by one: those of a currency are alike. */
const MAX_SERIES = 12;

const composed = EACH.filter(([, endpoint]) => endpoint.compose).map(
  ([id, endpoint]) => [id, exampleOf(endpoint)] as const,
);
const others: readonly (readonly [string, RawArgs])[] = [
  ['curves', { path: { currency: 'USD' }, query: { date: '2026-11-10' } }],
  ['curves', { path: { currency: 'USD' }, query: { view: 'forwards', require_common_date: 'true' } }],
  ['rate_differentials', { path: { base: 'EUR', quote: 'USD' }, query: { rate_type: 'forward' } }],
  ['rate_differentials', { path: { base: 'EUR', quote: 'USD' }, query: { measure: 'policy_rate' } }],
];

/** The mirror, with a note of each series whose rows are read. */
function noting(from: Mirror, read: Map<number, StoredSeries>): Mirror {
  return {
    ...from,
    snapshot: (work) =>
      from.snapshot((reader) =>
        work({
          ...reader,
          rows: (series, ...asked) => {
            read.set(series.id, series);
            return reader.rows(series, ...asked);
          },
          texts: (series, ...asked) => {
            read.set(series.id, series);
            return reader.texts(series, ...asked);
          },
        }),
      ),
  };
}

async function answerOf(mirror: Mirror, id: string, question: RawArgs, now: number) {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  const { args } = readParams(endpoint, question, { mode: 'strict', now });
  try {
    const { body, partial } = await createMirrorSource({ mirror, labels: LABELS }).ask(
      { endpoint, args },
      { caller: OWNER, now },
    );
    const rows = cutBody(endpoint.body, body).rows.map(({ text }) => text);
    return { rows, missing: partial?.mark.missing };
  } catch (error) {
    if (error instanceof MacroError) return { refused: error.code };
    throw error;
  }
}

const nameOf = ({ endpoint, scope }: StoredSeries) => [endpoint, ...Object.values(scope)].join(' ');
const cutOf = ({ endpoint, scope }: StoredSeries) => ({ series: { endpoint, scope, exact: true } });

describe.each([...composed, ...others])('%s %j', (id, question) => {
  it('with one of its series alone, or all but one, is the same answer, a partial one or none', async () => {
    const { platform, clock } = testPlatform();
    const sandbox = await sandboxMirror(platform);
    const read = new Map<number, StoredSeries>();
    const whole = await answerOf(noting(sandbox, read), id, question, clock.now());
    expect([id, 'refused' in whole, whole.missing]).toEqual([id, false, undefined]);
    const all = [...read.values()];
    const silent: string[] = [];
    const judge = async (what: string, held: readonly StoredSeries[]) => {
      const gone = all.filter((series) => !held.includes(series));
      const answer = await answerOf(cutMirror(sandbox, gone.map(cutOf)), id, question, clock.now());
      if ('refused' in answer || answer.missing) return;
      if (JSON.stringify(answer.rows) !== JSON.stringify(whole.rows)) silent.push(what);
    };
    for (const series of all.slice(0, MAX_SERIES)) {
      await judge(
        `all but ${nameOf(series)}`,
        all.filter((one) => one !== series),
      );
      await judge(`${nameOf(series)} alone`, [series]);
    }
    expect(silent).toEqual([]);
  });
});

describe('a curve of which only two yields are held', () => {
  it('names the third, which the catalogue lists, and shows no forward that leads past it', async () => {
    const { platform, clock } = testPlatform();
    const fiveYears = { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'gov_bond_5y' } };
    const held = cutMirror(await sandboxMirror(platform), [{ series: fiveYears }]);
    const ask = async (view: string) => {
      const answer = await answerOf(held, 'curves', { path: { currency: 'USD' }, query: { view } }, clock.now());
      return [answer.rows?.map((text) => JSON.parse(text).maturity), answer.missing];
    };
    const missing = [{ series: 'announcements usd gov_bond_5y' }];
    expect([await ask('nodes'), await ask('forwards')]).toEqual([
      [['2Y', '10Y'], missing],
      [[], missing],
    ]);
  });

  it('says that the list of maturities is missing, where nobody has brought one', async () => {
    const { platform, clock } = testPlatform();
    const held = cutMirror(await sandboxMirror(platform), [{ series: { endpoint: 'data_catalogue', scope: {} } }]);
    const missing = async (query: Record<string, string>) =>
      (await answerOf(held, 'curves', { path: { currency: 'USD' }, query }, clock.now())).missing;
    expect([await missing({}), await missing({ date: '2026-11-10' })]).toEqual([
      [{ series: 'curve usd' }],
      [{ series: 'catalogue usd' }],
    ]);
  });
});
