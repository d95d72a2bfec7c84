import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asJsonText, type JsonObject } from '../../src/contract/json/json.ts';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror, MirrorReader } from '../../src/mirror/api/mirror.ts';
import type { AccessTag, Selection } from '../../src/mirror/api/series.ts';
import { openServerMirror } from '../../src/mirror/postgres/open.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { createReading } from '../../src/source/reading.ts';
import type { Question } from '../../src/source/source.ts';
import { commitOfAnswer } from '../../src/source/stored/answer-commit.ts';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { LABELS } from '../support/service.ts';
import { DAY, KEYED, KEYLESS, MINUTE, NOW, question, whole } from './world.ts';

type Engine = 'SQLite' | 'PostgreSQL';

/** One mirror through two connections, as two programs have it, and a source over the first that keeps what it reads. */
async function twoPrograms(engine: Engine) {
  const { platform } = testPlatform({ now: NOW });
  const how = { mappings: MAPPINGS, platform, mode: 'write' } as const;
  const address = engine === 'PostgreSQL' ? await freshAddress() : '';
  const open = () =>
    address === ''
      ? openMirror({ ...how, path: join(platform.cwd, 'mirror.db') })
      : openServerMirror({ ...how, address, dates: 'caller' });
  const own = await open();
  const other = await open();
  onTestFinished(() => {
    own.close();
    other.close();
  });
  const source = createMirrorSource({ mirror: own, labels: LABELS, columns: createColumns() });
  const ask = async (asked: Question, caller = KEYED, now = NOW) =>
    JSON.parse((await source.ask(asked, { caller, now })).body);
  return { own, other, ask };
}

interface Told {
  readonly access?: AccessTag;
  readonly at?: number;
  /** It tells of everything up to now. */
  readonly isAll?: true;
  /** It brings rows alone. */
  readonly isBare?: true;
}

function take(mirror: Mirror, asked: Question, body: JsonObject, told: Told = {}) {
  const { access = 'key:1', at = NOW, isAll, isBare } = told;
  const reply = {
    status: 200,
    body: asJsonText(JSON.stringify(body)),
    etag: undefined,
    request: 'GET',
    synthetic: false,
    edgeHit: false,
    notes: [],
  } as const;
  const { envelope, ...rows } = commitOfAnswer({ ...asked, reply, service: 'https://s.test', access, at });
  const commit = isBare || !envelope ? rows : { ...rows, envelope };
  const covered = { from: BEGINNING, to: dateOf(at), rows: commit.rows.length };
  return mirror.commitPage(isAll ? { ...commit, extent: 'replaces', covered } : commit);
}

const pair = (base: string, quote: string, offset = '0') =>
  question('forex', { base, quote }, { limit: '1', offset, start_date: '2026-11-01' });
const rates = (base: string, quote: string, val: number) => ({
  base,
  quote,
  pagination: whole(2),
  data: ['2026-11-20', '2026-11-19'].map((date) => ({ date, val })),
});
const inflation = question('announcements', { currency: 'usd', indicator: 'inflation' }, { start_date: '2026-10-01' });
const prints = (...rows: readonly JsonObject[]) => ({
  currency: 'USD',
  indicator: 'inflation',
  unit: '%YoY',
  pagination: whole(rows.length),
  data: rows,
});
const OCTOBER = { date: '2026-10-31', announcement_datetime: 1_794_576_600, val: 3 };

const ENGINES: readonly Engine[] = POSTGRES_BIN === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

describe.each(ENGINES)('what is kept of a mirror on %s', (engine) => {
  it.each(['own', 'other'] as const)('ends with a commit to its series, by the program that is %s', async (by) => {
    const held = await twoPrograms(engine);
    const told = async () => [
      (await held.ask(pair('EUR', 'USD'))).data[0].val,
      (await held.ask(pair('EUR', 'USD', '1'))).data[0].val,
      (await held.ask(inflation)).data[0].val,
    ];
    for (const [val, at] of [
      [1.25, NOW - 3 * MINUTE],
      [1.5, NOW - 2 * MINUTE],
      [1.75, NOW - MINUTE],
    ] as const) {
      await take(held[by], pair('EUR', 'USD'), rates('EUR', 'USD', val), { at });
      await take(held[by], inflation, prints({ ...OCTOBER, val }), { at });
      expect([await told(), await told()]).toEqual([
        [val, val, val],
        [val, val, val],
      ]);
    }
  });

  it.each(['own', 'other'] as const)(
    'ends with a commit to a leg of a cross, by the program that is %s',
    async (by) => {
      const held = await twoPrograms(engine);
      await take(held[by], pair('EUR', 'USD'), rates('EUR', 'USD', 1.2), { isAll: true });
      await take(held[by], pair('USD', 'JPY'), rates('USD', 'JPY', 150), { isAll: true });
      const told = async () => {
        const { data, pair_metadata } = await held.ask(pair('EUR', 'JPY'));
        return [data[0].val, pair_metadata.source_pair];
      };
      expect([await told(), await told()]).toEqual([
        [180, 'EUR/USD,USD/JPY'],
        [180, 'EUR/USD,USD/JPY'],
      ]);
      await take(held[by], pair('USD', 'JPY'), rates('USD', 'JPY', 160), { isAll: true });
      expect(await told()).toEqual([192, 'EUR/USD,USD/JPY']);
      // A pair of its own takes the place of its legs.
      await take(held[by], pair('EUR', 'JPY'), rates('EUR', 'JPY', 191), { isAll: true });
      expect(await told()).toEqual([191, 'EUR/JPY']);
    },
  );

  it.each(['own', 'other'] as const)('ends with what only proves more, by the program that is %s', async (by) => {
    const held = await twoPrograms(engine);
    const body = prints(OCTOBER);
    await take(held[by], inflation, body);
    const wide = question('announcements', { currency: 'usd', indicator: 'inflation' }, { start_date: '2000-01-01' });
    const fx = question('forex', { base: 'EUR', quote: 'USD' }, { start_date: '2000-01-01' });
    await take(held[by], pair('EUR', 'USD'), rates('EUR', 'USD', 1.2));
    const marks = async () => [(await held.ask(wide)).mirror?.complete, (await held.ask(fx)).mirror?.complete];
    const states = async () =>
      (await held.own.find({ endpoint: 'announcements', scope: {} })).map(({ state, chain }) => [state, chain]);
    const before = await states();
    expect([await marks(), await marks()]).toEqual([
      [false, false],
      [false, false],
    ]);
    await take(held[by], inflation, body, { isAll: true });
    await take(held[by], pair('EUR', 'USD'), rates('EUR', 'USD', 1.2), { isAll: true });
    expect(await states()).toEqual(before);
    expect(await marks()).toEqual([undefined, undefined]);
  });

  it('shows without a key what the delay lets through once it is over, with no commit in between', async () => {
    const held = await twoPrograms(engine);
    const released = NOW / 1000 - 60;
    const november = { date: '2026-11-20', announcement_datetime: released, val: 9.9 };
    await take(held.own, inflation, prints(november, OCTOBER), { at: NOW });
    const told = async (now: number) =>
      (await held.ask(inflation, KEYLESS as typeof KEYED, now)).data.map(({ val }: { val: number }) => val);
    expect([await told(NOW), await told(NOW + MINUTE), await told(NOW + 30 * MINUTE)]).toEqual([[3], [3], [9.9, 3]]);
  });

  it('tells who asks without a key of each row whether a key brought it, though its state stays', async () => {
    const { own, other } = await twoPrograms(engine);
    await take(own, inflation, prints(OCTOBER), { access: 'keyless', at: NOW - DAY });
    const read = createReading(own, createColumns());
    const told = () =>
      read(KEYLESS, async ({ reader }) => {
        const [series] = await reader.find({ endpoint: 'announcements', scope: {} });
        if (!series) throw new Error('no series');
        return [series.state, (await reader.rows(series, {})).map(({ keyed }) => keyed)];
      });
    const before = await told();
    await take(other, inflation, prints(OCTOBER), { access: 'key:1', at: NOW, isBare: true });
    const after = await told();
    expect([before[1], after[1], before[0] === after[0]]).toEqual([[false], [true], true]);
  });

  it('reads a series whole, unless memory has no room for all of it', async () => {
    const { own } = await twoPrograms(engine);
    await take(own, pair('EUR', 'USD'), rates('EUR', 'USD', 1.2), { isAll: true });
    const readOf = async (room: number) => {
      const selections: Selection[] = [];
      const watched: Mirror = {
        ...own,
        snapshot: (work) =>
          own.snapshot((reader) => {
            const rows: MirrorReader['rows'] = (series, selection, page) => {
              selections.push(selection);
              return reader.rows(series, selection, page);
            };
            return work({ ...reader, rows });
          }),
      };
      const read = createReading(watched, createColumns(room));
      const dates: unknown[] = [];
      for (const from of ['2026-11-20', '2026-11-19', '2026-11-18', '2026-11-20'])
        await read(KEYED, async ({ reader }) => {
          const [series] = await reader.find({ endpoint: 'forex', scope: {} });
          if (!series) throw new Error('no series');
          dates.push((await reader.rows(series, { from })).map(({ columns }) => columns.date));
        });
      expect(dates).toEqual([
        ['2026-11-20'],
        ['2026-11-20', '2026-11-19'],
        ['2026-11-20', '2026-11-19'],
        ['2026-11-20'],
      ]);
      return selections;
    };
    expect(await readOf(1_000_000)).toEqual([{}]);
    // A row takes more than a quarter of this, so nothing is kept.
    const others = ['2026-11-19', '2026-11-18', '2026-11-20'].map((from) => ({ from }));
    expect(await readOf(1_900)).toEqual([{}, ...others]);
  });

  it('takes no more room for names that nobody stored than it may', async () => {
    const { own } = await twoPrograms(engine);
    await take(own, pair('EUR', 'USD'), rates('EUR', 'USD', 1.2));
    const room = 100_000;
    const columns = createColumns(room);
    const read = createReading(own, columns);
    const find = (indicator: string) =>
      read(KEYED, ({ reader }) => reader.find({ endpoint: 'announcements', scope: { currency: 'USD', indicator } }));
    await find('first');
    const one = columns.used();
    const most: number[] = [];
    for (let i = 0; i < 1_000; i += 1) {
      expect(await find(`nobody_${i}`)).toEqual([]);
      most.push(columns.used());
    }
    expect(Math.max(...most)).toBeLessThanOrEqual(room);
    expect([one > 0, Math.max(...most) > room / 2]).toEqual([true, true]);
  });
});
