import { describe, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import type { Availability } from '../../src/contract/time/moments.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question } from '../../src/source/source.ts';
import { TEST_NOW, testPlatform } from '../support/platform.ts';
import { JULY, JUNE } from '../support/revised-series.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { DAY, KEYED, KEYLESS, NOW, OWNER, question, world } from './world.ts';

const USD = { currency: 'USD', indicator: 'unemployment' };
/** Without an end: days behind the last look are missing of a window that names one. */
const YEAR = { start_date: '2026-01-01' };
const BODY = { currency: 'USD', indicator: 'unemployment', unit: '%', data: [JULY, JUNE] };

/** It is 12:34 on 21 November; the mirror looked at the series at noon on 18 November. */
const LOOKED = '2026-11-18T12:00:00Z';
const MOMENT = '2026-11-20T00:00:00Z';
const MISSING = { from: LOOKED, to: MOMENT };
const marked = (...missing: object[]) => ({ complete: false, missing, checked_at: LOOKED });

async function looked() {
  const made = await world();
  const look = (at: string) =>
    made.take(question('announcements', USD, YEAR), BODY, { at: Date.parse(at), isAll: true });
  await look(LOOKED);
  const history = (as_of: string) => question('announcements', USD, { ...YEAR, as_of });
  const panel = (...decisions: string[]) =>
    question(
      'research_panel',
      {},
      { ...YEAR, end_date: '2026-12-31', series: 'usd:unemployment', decision_times: decisions.join(',') },
    );
  const askThen = (asked: Question, by: Availability, caller: Caller = OWNER) =>
    made.source.ask(asked, { caller, now: NOW, asOf: { at: Date.parse(MOMENT), by } });
  return { ...made, look, history, panel, askThen };
}

describe('a moment between the last look at a series and now', () => {
  test('is answered with what is held, and the answer is partial', async () => {
    const { ask, history } = await looked();
    const { json, partial } = await ask(history(MOMENT), KEYED);
    expect(json.data.map((row: { val: number }) => row.val)).toEqual([4, 4.3]);
    expect(json.mirror).toEqual(marked(MISSING));
    expect(partial?.cures).toEqual(['macro sync announcements usd unemployment']);
  });

  test('lacks nothing once the mirror has looked since', async () => {
    const { ask, history, look } = await looked();
    await look('2026-11-21T00:00:00Z');
    expect((await ask(history(MOMENT), KEYED)).json).not.toHaveProperty('mirror');
  });

  test('lacks nothing up to the look itself; as of now the answer is old and not partial', async () => {
    const { ask, history } = await looked();
    expect((await ask(history(LOOKED), KEYED)).json).not.toHaveProperty('mirror');
    expect((await ask(history('2026-11-21T12:34:00Z'), KEYED)).json).not.toHaveProperty('mirror');
    expect((await ask(history('2026-11-18T12:00:01Z'), KEYED)).json.mirror.missing).toEqual([
      { from: LOOKED, to: '2026-11-18T12:00:01Z' },
    ]);
  });

  test('goes by what the mirror held without a lack, and by captures with one', async () => {
    const { askThen } = await looked();
    const asked = question('announcements', USD, YEAR);
    expect((await askThen(asked, 'mirrored')).partial).toBeUndefined();
    expect((await askThen(asked, 'captured')).partial?.mark.missing).toEqual([MISSING]);
    expect((await askThen(asked, 'public')).partial?.mark.missing).toEqual([MISSING]);
  });

  test('takes the lack into what is computed of several series, and names the one to sync', async () => {
    const { take, askThen } = await looked();
    const rate = (date: string, val: number) => ({ date, val });
    for (const [quote, at] of [
      ['USD', LOOKED],
      ['JPY', LOOKED],
      ['USD', '2026-11-21T08:00:00Z'],
    ] as const) {
      const asked = question('forex', { base: 'EUR', quote }, YEAR);
      await take(
        asked,
        { base: 'EUR', quote, data: [rate('2026-11-18', 2), rate('2026-11-17', 3)] },
        {
          at: Date.parse(at),
          isAll: true,
        },
      );
    }
    const { partial } = await askThen(question('forex', { base: 'USD', quote: 'JPY' }, YEAR), 'public');
    expect(partial?.mark.missing).toEqual([MISSING]);
    expect(partial?.cures).toEqual(['macro sync fx eur jpy']);
  });

  test('lacks nothing for a caller who may see nothing of that time', async () => {
    const { ask, history, look } = await looked();
    await look('2026-11-21T12:16:00Z');
    const recent = history('2026-11-21T12:20:00Z');
    expect((await ask(recent, KEYLESS)).json).not.toHaveProperty('mirror');
    expect((await ask(recent, KEYED)).json.mirror.missing).toEqual([
      { from: '2026-11-21T12:16:00Z', to: '2026-11-21T12:20:00Z' },
    ]);
  });
});

describe('a panel', () => {
  test('has no value at a decision that nobody looked for, and says so in the cell and beside it', async () => {
    const { ask, panel } = await looked();
    const { json } = await ask(panel(LOOKED, MOMENT, '2026-11-21T12:34:00Z'), KEYED);
    const cells = json.data.map(({ values: [{ val, reason }] }: { values: [{ val: number; reason: string }] }) => [
      val,
      reason,
    ]);
    expect(cells).toEqual([
      [4, undefined],
      [null, 'not_known_then'],
      [4, undefined],
    ]);
    // It knows what was known in the seconds before the decision.
    const missing = { series: 'announcements usd unemployment', from: LOOKED, to: '2026-11-19T23:59:59Z' };
    expect([json.missing_count, json.mirror]).toEqual([1, marked(missing)]);
  });

  test('is another answer once its decision has passed', async () => {
    const { source, panel } = await looked();
    const asked = panel('2026-11-21T12:34:00Z');
    const before = await source.ask(asked, { caller: KEYED, now: NOW });
    const later = { caller: KEYED, now: NOW + DAY, ...(before.etag && { ifNoneMatch: before.etag }) };
    expect(before.partial).toBeUndefined();
    expect((await source.ask(asked, later)).partial?.mark.missing).toHaveLength(1);
  });
});

describe('served', () => {
  async function served(strict: boolean) {
    const { mirror, history } = await looked();
    const { platform } = testPlatform({ now: NOW });
    const source = createMirrorSource({ mirror, labels: LABELS });
    const options = { labels: LABELS, quotas: false, open: true, strict };
    const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options });
    onTestFinished(() => app.close());
    const url = `/v1/announcements/USD/unemployment?start_date=2026-01-01&as_of=${MOMENT}`;
    return { answer: await app.inject({ url, headers: { 'x-api-key': 'k' } }), source, history };
  }

  test('it is 200, partial, not stored and without a validator', async () => {
    const { answer } = await served(false);
    expect([
      answer.statusCode,
      answer.headers['x-svc-mirror'],
      answer.headers['cache-control'],
      answer.headers.etag,
    ]).toEqual([200, 'partial', 'no-store', undefined]);
    expect(answer.json().mirror).toEqual(marked(MISSING));
  });

  test('it is 503 under --strict, with the ranges and the command', async () => {
    const { answer } = await served(true);
    expect([answer.statusCode, answer.json().error, answer.json().mirror]).toMatchObject([
      503,
      'mirror_incomplete',
      marked(MISSING),
    ]);
    expect(answer.json().detail).toContain(`${LOOKED} to ${MOMENT}`);
    expect(answer.json().detail).toContain('macro sync announcements usd unemployment');
  });

  test('a validator from when the moment was now does not hold any more', async () => {
    const { source, history } = await looked();
    const asked = history(MOMENT);
    const then = await source.ask(asked, { caller: KEYED, now: Date.parse(MOMENT) });
    expect([then.partial, then.etag]).toEqual([undefined, expect.any(String)]);
    const now = await source.ask(asked, { caller: KEYED, now: NOW, ...(then.etag && { ifNoneMatch: then.etag }) });
    expect([now.status, now.partial?.mark.missing]).toEqual([200, [MISSING]]);
  });
});

test('forecasts made after the last look are lacking too', async () => {
  const { take, ask } = await world();
  const asked = (query = {}) => question('predictions', { currency: 'USD', indicator: 'inflation' }, query);
  await take(asked(), { currency: 'USD', indicator: 'inflation', data: [] }, { at: Date.parse(LOOKED), isAll: true });
  expect((await ask(asked({ as_of: MOMENT }), KEYED)).json.mirror.missing).toContainEqual(MISSING);
  expect((await ask(asked({ as_of: LOOKED }), KEYED)).json.mirror?.missing ?? []).not.toContainEqual(MISSING);
});

test('a sandbox is whole at every moment of a later hour than that of its fill', async () => {
  const { platform } = testPlatform();
  const source = createMirrorSource({ mirror: await sandboxMirror(platform), labels: LABELS });
  const later = { caller: KEYED, now: TEST_NOW + 6 * 3_600_000 };
  const as_of = new Date(TEST_NOW + 3_600_000).toISOString();
  const asked = [
    question('announcements', { currency: 'USD', indicator: 'inflation' }, { ...YEAR, as_of }),
    question('curves', { currency: 'USD' }, { as_of }),
    question('research_panel', {}, { ...YEAR, end_date: '2026-12-31', series: 'usd:inflation', decision_times: as_of }),
  ];
  for (const one of asked) expect((await source.ask(one, later)).partial).toBeUndefined();
});
