import { expect, it } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { VIEW_PARTS, type ViewPart } from '../../../src/mirror/api/mirror.ts';
import { tableOf } from '../../../src/mirror/rules/tables.ts';
import { viewsOf as viewsOver } from '../../../src/mirror/rules/views.ts';
import { type FreshMirror, held, INFLATION, MIDNIGHT as NOW, page, rate, row } from '../support.ts';

const MIDNIGHT = '2026-11-21T00:00:00Z';
const ANNOUNCEMENTS = MAPPINGS.announcements ? viewsOver(tableOf('announcements', MAPPINGS.announcements)) : [];

/** The views over the rows: what any program that reads the file or asks the server finds. */
export function viewsOf(fresh: FreshMirror): void {
  it('show a row with typed columns, its decimals as published, and where it comes from', async () => {
    const { mirror, sql } = await fresh();
    await mirror.commitPage(page([rate('2026-11-20', '1.1500'), rate('2026-11-19', 'null')]));
    const columns =
      'base, quote, date, val, val_text, open, origin, nature, access, request, released_at, seen_at, row';
    const provenance = {
      origin: 'https://api.example.test',
      nature: 'real',
      access: 'keyed',
      request: 'GET /v1/forex/EUR/USD',
      released_at: null,
      seen_at: MIDNIGHT,
    };
    const pair = { base: 'EUR', quote: 'USD', open: null };
    expect(await sql(`select ${columns} from v_fx order by date desc`)).toEqual([
      { ...pair, date: '2026-11-20', val: 1.15, val_text: '1.1500', ...provenance, row: rate('2026-11-20', '1.1500') },
      { ...pair, date: '2026-11-19', val: null, val_text: null, ...provenance, row: rate('2026-11-19', 'null') },
    ]);
  });

  it('show when a value was released, as ISO text, and what a row says beyond the columns that are kept', async () => {
    const { mirror, sql } = await fresh();
    const text = '{"date":"2026-10-31","val":2.10,"announcement_datetime":1795008600,"source":"BLS"}';
    await mirror.commitPage(page([row(text)], { series: INFLATION }));
    expect(
      await sql('select currency, indicator, date, val, source, publisher, released_at from v_announcements'),
    ).toEqual([
      {
        currency: 'USD',
        indicator: 'inflation',
        date: '2026-10-31',
        val: 2.1,
        source: 'BLS',
        publisher: 'BLS',
        released_at: '2026-11-18T13:30:00Z',
      },
    ]);
  });

  it('never make a number of a value that is none', async () => {
    const { mirror, sql } = await fresh();
    const text = '{"date":"2026-10-31","val":"n/a","collected_at":99999999999999999999,"change":true}';
    await mirror.commitPage(page([row(text)], { series: INFLATION }));
    expect(await sql('select val, val_text, collected_at from v_announcements')).toEqual([
      { val: null, val_text: 'n/a', collected_at: null },
    ]);
  });

  it('compute a net position that a row leaves out, from whole numbers only, and keep one that it states', async () => {
    const { mirror, sql } = await fresh();
    const series = { ...INFLATION, endpoint: 'cot', scope: { currency: 'JPY', report: 'tff_futures' } };
    const sides = [
      ['06-09', '91168', '191012', ''],
      ['06-02', '3', '1', ',"dealer_net":7'],
      ['05-26', '3', '1', ',"dealer_net":null'],
      ['05-19', '3', 'null', ''],
      ['05-12', '3.5', '1', ''],
      ['05-05', '9223372036854775807', '-1', ''],
    ] as const;
    const rows = sides.map(([day, long, short, more]) =>
      row(`{"date":"2026-${day}","dealer_long":${long},"dealer_short":${short}${more}}`),
    );
    await mirror.commitPage(page(rows, { series }));
    const asked = 'select date, dealer_net, commercial_net from v_cot order by date desc';
    const nets = [-99_844, 7, null, null, null, null];
    expect(await sql(asked)).toEqual(
      sides.map(([day], i) => ({ date: `2026-${day}`, dealer_net: nets[i], commercial_net: null })),
    );
  });

  it('keep what was current before, with the time at which that ended, and the vintages that rows list', async () => {
    const { mirror, sql } = await fresh();
    const revised = (val: string, list: string) => row(`{"date":"2026-10-31","val":${val},"revisions":[${list}]}`);
    const [first, second] = ['{"val":2.10,"epoch":1795008600}', '{"val":2.20,"epoch":1795095000}'];
    await mirror.commitPage(page([revised('2.10', first)], { series: INFLATION }));
    await mirror.commitPage(
      page([revised('2.20', `${first},${second}`)], { series: INFLATION, at: 1_795_219_260_000 }),
    );
    expect(await sql('select val_text, seen_at, superseded_at from v_announcements_superseded')).toEqual([
      { val_text: '2.10', seen_at: MIDNIGHT, superseded_at: '2026-11-21T00:01:00Z' },
    ]);
    expect(await sql('select val, val_text, published_at from v_announcements_vintages order by published_at')).toEqual(
      [
        { val: 2.1, val_text: '2.10', published_at: '2026-11-18T13:30:00Z' },
        { val: 2.2, val_text: '2.20', published_at: '2026-11-19T13:30:00Z' },
      ],
    );
  });

  it('hand out their rows in the order of their table, whole numbers with all their digits, for every part', async () => {
    const { mirror } = await fresh();
    const one = (date: string, val: string, epoch: string) =>
      row(
        `{"date":"${date}","val":${val},"collected_at":9007199254740993,"revisions":[{"val":${val},"epoch":${epoch}}]}`,
      );
    const [october, september] = [one('2026-10-31', '2.10', '1795008600'), one('2026-09-30', '1', '1792416600')];
    await mirror.commitPage(page([september, october], { series: INFLATION }));
    const revised = one('2026-10-31', '2.20', '1795095000');
    await mirror.commitPage(page([revised], { series: INFLATION, at: NOW + 60_000 }));
    const { id } = await held(mirror, INFLATION);
    const shown = async (part: ViewPart, ...names: readonly string[]) => {
      const columns = ANNOUNCEMENTS[VIEW_PARTS.indexOf(part)]?.columns.map(({ name }) => name) ?? [];
      const rows: (readonly unknown[])[] = [];
      const ask = { endpoint: 'announcements', part, series: [id], page: 1, signal: new AbortController().signal };
      await mirror.viewRows(ask, (few) => {
        for (const cells of few) rows.push(names.map((name) => cells[columns.indexOf(name)]));
      });
      return rows;
    };
    expect(await shown('current', 'date', 'val', 'val_text', 'collected_at')).toEqual([
      ['2026-10-31', 2.2, '2.20', 9_007_199_254_740_993n],
      ['2026-09-30', 1, '1', 9_007_199_254_740_993n],
    ]);
    expect(await shown('superseded', 'date', 'val_text', 'superseded_at')).toEqual([
      ['2026-10-31', '2.10', '2026-11-21T00:01:00Z'],
    ]);
    expect(await shown('vintages', 'date', 'val_text', 'published_at')).toEqual([
      ['2026-10-31', '2.10', '2026-11-18T13:30:00Z'],
      ['2026-10-31', '2.20', '2026-11-19T13:30:00Z'],
      ['2026-09-30', '1', '2026-10-19T13:30:00Z'],
    ]);
  });

  it('show what is escaped as no text can be, and the rows beside it', async () => {
    const { mirror, sql } = await fresh();
    const odd = '{"date":"2026-11-20","val":1.1500,"source":"a\\ud83d b\\ud83d\\ude00"}';
    await mirror.commitPage(page([odd, rate('2026-11-19', '1e400'), rate('2026-11-18', 7)]));
    expect(await sql('select date, val_text from v_fx order by date')).toEqual([
      { date: '2026-11-18', val_text: '7' },
      { date: '2026-11-19', val_text: '1e400' },
      { date: '2026-11-20', val_text: '1.1500' },
    ]);
    expect(await sql("select row from v_fx where date = '2026-11-20'")).toEqual([{ row: odd }]);
  });
}
