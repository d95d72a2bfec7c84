import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/contract/mapping.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror, ViewCell } from '../../src/mirror/api/mirror.ts';
import type { PageCommit } from '../../src/mirror/api/page-commit.ts';
import { lengthener, shortener, wholeText } from '../../src/mirror/rules/short-text.ts';
import { createTables, tableOf } from '../../src/mirror/rules/tables.ts';
import { SCHEMA_VERSION } from '../../src/mirror/sqlite/version.ts';
import fc from '../support/properties.ts';
import { held, MIDNIGHT, page, rate, sql, testMirror, texts } from './support.ts';

const FOREX = MAPPINGS.forex as Mapping; // the endpoint is there
const { shortText, ...whole } = FOREX;
/** What keeps every text as it came. */
const WHOLE = { ...MAPPINGS, forex: whole };

/** A row as the service sends it. */
const asSent = (date: string, val: number | string) =>
  `{"date":"${date}","val":${val},"observation_datetime":1795132800,"observation_datetime_iso":"${date}T00:00:00Z","observation_datetime_precision":"date","source":{"source_pair":"EUR/USD","is_derived":false}}`;

/** Texts, and what a file has of them. */
const SPELLED: readonly (readonly [text: string, stored: string])[] = [
  [rate('2026-11-20', '1.1500'), '\u00011.1500}'],
  [asSent('2026-11-19', 1.1502), '\u00021.1502\u00031795132800\u0004EUR/USD","is_derived":false}}'],
  ['{"date":"2026-11-18","val":null,"observation_datetime":1,"close":1e2}', '\u0002null\u00031,"close":1e2}'],
  ['{"date":"2026-11-17","val":1,\n\t"note":"\\u0003 é"}', '\u00011,\n\t"note":"\\u0003 é"}'],
  ['{"date":"2026-11-16","observation_datetime":1,"val":1}', '{"date":"2026-11-16","observation_datetime":1,"val":1}'],
  ['{"val":1,"date":"2026-11-15"}', '{"val":1,"date":"2026-11-15"}'],
  ['{ "date":"2026-11-14","val":1}', '{ "date":"2026-11-14","val":1}'],
  ['{"date":"2026\\u002d11-13","val":1}', '{"date":"2026\\u002d11-13","val":1}'],
  [
    '{"date":"2026-11-12","val":1,"observation_datetime_iso":"2026-11-11T00:00:00Z","observation_datetime":1}',
    '\u00021,"observation_datetime_iso":"2026-11-11T00:00:00Z"\u00031}',
  ],
  [
    '{"date":"2026-11-11","val":1,"observation_datetime_iso":"2026-11-10T00:00:00Z","n":{"a":1,"observation_datetime_iso":"2026-11-11T00:00:00Z","observation_datetime_precision":"date","source":{"source_pair":"EUR/USD"}}}',
    '\u00021,"observation_datetime_iso":"2026-11-10T00:00:00Z","n":{"a":1\u0004EUR/USD"}}}',
  ],
];

it('what stands for what belongs to the version of the schema: files depend on it', () => {
  const found = Object.entries(MAPPINGS).flatMap(([endpoint, { shortText: short }]) =>
    short ? { endpoint, short } : [],
  );
  expect([SCHEMA_VERSION, found]).toEqual([
    15,
    [
      {
        endpoint: 'forex',
        short: {
          key: 'date',
          head: ['{"date":"', '","val":'],
          pieces: [
            [',"observation_datetime":'],
            [
              ',"observation_datetime_iso":"',
              'T00:00:00Z","observation_datetime_precision":"date","source":{"source_pair":"',
            ],
          ],
        },
      },
    ],
  ]);
});

it('a file has texts without what they repeat, and gives them whole', async () => {
  const { mirror, path } = await testMirror();
  const all = SPELLED.map(([text]) => text);
  await mirror.commitPage(page(all));
  expect(sql(path, 'select text from fx_daily')).toEqual(SPELLED.map(([, text]) => ({ text })));
  expect(sql(path, 'select row from v_fx')).toEqual(all.map((row) => ({ row })));
  expect(await texts(mirror)).toEqual(all);
  expect(await mirror.texts(await held(mirror), {})).toEqual(all);
  expect((await mirror.verify()).findings).toEqual([]);
});

it('whatever a text says, it is given back byte for byte, by the statement and without it', () => {
  const table = tableOf('forex', FOREX, 'short');
  const db = new Database(':memory:');
  for (const statement of createTables(table)) db.exec(statement);
  const put = db.prepare('insert or replace into fx_daily (series, date, seen, text) values (1, ?, 1, ?)');
  const get = db.prepare<[string], string>(`select ${wholeText(table)} from fx_daily where date = ?`).pluck();
  const [shorten, lengthen] = [shortener(table), lengthener(table)];
  const words = [shortText?.head ?? [], ...(shortText?.pieces ?? [])];
  const dates = fc.oneof(fc.constantFrom('2026-11-20', '', "it's", '\u0003', '"'), fc.string());
  const part = fc.oneof(
    fc.nat(words.length - 1).map((i) => (date: string) => (words[i] ?? []).join(date)),
    fc
      .constantFrom('1.15', '{', '}', ',', '"', ' ', '\n', '\t', 'é', '💶', '\u0001', '\u0003', '\u0004')
      .map((text) => () => text),
  );
  fc.assert(
    fc.property(dates, fc.boolean(), fc.array(part), (date, begins, parts) => {
      const rest = parts.map((one) => one(date)).join('');
      const text = begins ? `{"date":"${date}","val":${rest}` : `{${rest}`;
      const stored = shorten([date], text);
      put.run(date, stored);
      expect([get.get(date), lengthen([date], stored)]).toEqual([text, text]);
    }),
  );
  db.close();
});

/** Rows of each spelling, revised, vanished, confirmed by a key and taken up again. */
const COMMITS: readonly PageCommit[] = [
  page(
    SPELLED.map(([text]) => text),
    { access: 'keyless', extent: 'replaces' },
  ),
  page([asSent('2026-11-20', 1.16), asSent('2026-11-19', '1.1502')], { at: MIDNIGHT + 1000 }),
  page([rate('2026-11-20', 1.17)], { extent: 'replaces', at: MIDNIGHT + 2000 }),
  page(SPELLED.map(([text]) => text).slice(0, 4), { at: MIDNIGHT + 3000 }),
];

/** Everything that a mirror tells of its rates. */
async function toldBy(mirror: Mirror, path: string): Promise<unknown> {
  const series = await held(mirror);
  const cells: (readonly (readonly ViewCell[])[])[] = [];
  const { signal } = new AbortController();
  for (const part of ['current', 'superseded'] as const)
    await mirror.viewRows({ endpoint: 'forex', part, series: [series.id], page: 3, signal }, (rows) =>
      cells.push(rows),
    );
  const past = [0, 1000, 2000, 3000].flatMap((ms) =>
    (['mirrored', 'captured', 'public'] as const).map(async (by) => {
      const asOf = { at: MIDNIGHT + ms, by };
      return [await mirror.rows(series, { asOf }), await mirror.texts(series, { asOf })];
    }),
  );
  const [from, to] = [MIDNIGHT, MIDNIGHT + 3000].map((at) => ({ at, by: 'mirrored' }) as const);
  return {
    series,
    verified: await mirror.verify(),
    rows: await mirror.rows(series, {}),
    page: await mirror.rows(series, {}, { limit: 3, offset: 1, reverse: true }),
    texts: await mirror.texts(series, {}),
    past: await Promise.all(past),
    vintages: await mirror.vintages(series, []),
    lineage: await mirror.lineage(series, ['2026-11-20']),
    differences: from && to && (await mirror.differences(series, { from, to, limit: 100 })),
    views: [sql(path, 'select * from v_fx order by date'), sql(path, 'select * from v_fx_superseded order by date')],
    cells,
    sums: sql(path, 'select * from sums order by series, part'),
    marks: sql(path, 'select date, mark from fx_daily order by date'),
  };
}

const LEFT_OUT = 'select date from fx_daily where text < char(3) order by date';

describe('a mirror with short texts', () => {
  it('tells what one with whole texts tells', async () => {
    const [short, plain] = [await testMirror(), await testMirror(WHOLE)];
    for (const commit of COMMITS) for (const { mirror } of [short, plain]) await mirror.commitPage(commit);
    expect([short, plain].map(({ path }) => sql(path, LEFT_OUT).length)).toEqual([4, 0]);
    expect(await toldBy(short.mirror, short.path)).toEqual(await toldBy(plain.mirror, plain.path));
  });

  it('may have whole texts at first: they stay, and new ones are short', async () => {
    const [first, ...later] = COMMITS;
    const [before, plain] = [await testMirror(WHOLE), await testMirror(WHOLE)];
    for (const { mirror } of [before, plain]) if (first) await mirror.commitPage(first);
    before.mirror.close();
    const mirror = await before.again({ mappings: MAPPINGS });
    expect(sql(before.path, LEFT_OUT)).toEqual([]);
    expect(await toldBy(mirror, before.path)).toEqual(await toldBy(plain.mirror, plain.path));
    for (const commit of later) for (const one of [mirror, plain.mirror]) await one.commitPage(commit);
    expect(sql(before.path, LEFT_OUT)).toEqual(['17', '18', '19', '20'].map((day) => ({ date: `2026-11-${day}` })));
    const told = await toldBy(plain.mirror, plain.path);
    expect(await toldBy(mirror, before.path)).toEqual(told);
  });
});
