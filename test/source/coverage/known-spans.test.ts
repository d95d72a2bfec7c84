import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { CoverageOf, StoredRow, Vintage } from '../../../src/mirror/api/series.ts';
import { knownSpansOf, type PeriodReader, tellsFrom } from '../../../src/source/known-spans.ts';
import { covered, series } from './stored.ts';

/** A value of a row that no list dates: since when it is public, and whether a rule of its importer says so. */
interface Own {
  readonly date: string;
  readonly at: string;
  readonly assumed?: true;
}

const ms = (moment: string) => Date.parse(moment);

/** A reader of rows, oldest first, that have such values, or the lists of their texts. */
function readerOf(
  rows: readonly (Own | { readonly date: string; readonly list: readonly string[] })[],
  generated = false,
  status = 'assumed_historical',
) {
  const vintageOf = (row: (typeof rows)[number]): Vintage => {
    const at = 'at' in row ? row.at : (row.list[0] ?? '');
    return {
      key: [row.date],
      epoch: undefined,
      observedAt: undefined,
      seenAt: 0,
      text: asJsonText('{}'),
      ...('assumed' in row && row.assumed && { assumed: true }),
      times: {
        known: { public: BigInt(ms(at)) * 1_000_000n, captured: undefined },
        value: '1',
        isUnlisted: 'at' in row,
      },
    };
  };
  const reader: PeriodReader = {
    coveredRanges: async (_, access: CoverageOf) =>
      (access === 'key:sandbox') === generated ? [covered('2021-01-01', '2021-05-31')] : [],
    rows: async (_, __, page) =>
      rows
        .slice(page?.offset, (page?.offset ?? 0) + (page?.limit ?? 0))
        .map(({ date }) => ({ key: [date] }) as unknown as StoredRow), // nothing else is read
    texts: async () =>
      rows.map((row) => {
        const list =
          'list' in row
            ? row.list.map((at) => `{"epoch":${ms(at) / 1000},"val":1,"publication_time_status":"${status}"}`)
            : [];
        return asJsonText(`{"date":"${row.date}","val":1,"revisions":[${list.join(',')}]}`);
      }),
    vintages: async (_, [date]) => rows.filter((row) => date === undefined || row.date === date).map(vintageOf),
  };
  return reader;
}

const file = (origin: string, endpoint = 'announcements') =>
  series(endpoint, {}, { origin: `import:${origin}`, checkedAt: ms('2026-11-20T00:00:00Z') });
const ruled = (origin: string) => {
  const text = asJsonText('{"data_quality":{"has_assumed_release_times":true}}');
  return { ...file(origin), envelope: { text, inputs: 'file', rows: '' } };
};
const spans = async (...asked: Parameters<typeof knownSpansOf>) =>
  (await knownSpansOf(...asked)).map(({ from, to }) =>
    [from, to].map((at) => (Number.isFinite(at) ? new Date(at).toISOString() : at)),
  );
const UNTIL_ITS_LAST_DAY = [[Number.NEGATIVE_INFINITY, '2021-06-01T00:00:00.000Z']];

describe('the mirror knows what was known', () => {
  const months = ['2021-01-31', '2021-02-28', '2021-03-31', '2021-04-30', '2021-05-31'];
  const listed = (...lists: readonly (readonly string[])[]) =>
    lists.map((list, i) => ({ date: months[i] ?? '', list }));

  it('of a service up to its last look, of generated data at any moment', async () => {
    const own = series('announcements', {}, { checkedAt: ms('2026-11-18T12:00:00Z') });
    expect(await spans(own, readerOf([]))).toEqual([[Number.NEGATIVE_INFINITY, '2026-11-18T12:00:00.000Z']]);
    const made = readerOf(listed(['2021-02-05T13:30:00Z']), true);
    expect(await spans(file('ALFRED'), made)).toEqual([[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]]);
  });

  it('of values that a rule dates up to the last day of the file', async () => {
    const byRule = months.map((date, i) => ({ date, at: `2021-0${i + 2}-12T13:30:00Z`, assumed: true as const }));
    // A calendar may have the true time of any of them, also of the oldest one.
    const oneKnown = byRule.map((row, i) => (i === 0 ? { date: row.date, at: '2021-02-10T13:30:00Z' } : row));
    const bls = ruled('BLS');
    for (const rows of [byRule, oneKnown]) {
      expect(await spans(bls, readerOf(rows))).toEqual(UNTIL_ITS_LAST_DAY);
      expect(await tellsFrom(bls, { at: 0, by: 'public' }, readerOf(rows))).toBe(Number.NEGATIVE_INFINITY);
    }
    // A rule may have one time for all days of a month, or of a week.
    const days = Array.from({ length: 40 }, (_, i) => ({
      date: new Date(ms('2021-01-01') + i * 86_400_000).toISOString().slice(0, 10),
      at: i < 31 ? '2021-02-12T12:00:00Z' : '2021-03-12T12:00:00Z',
      assumed: true as const,
    }));
    expect(await spans(ruled('Somebody'), readerOf(days))).toEqual(UNTIL_ITS_LAST_DAY);
    const week = days.slice(0, 5);
    expect(await spans(file('Somebody', 'forex'), readerOf(week))).toEqual(UNTIL_ITS_LAST_DAY);
  });

  it('of a file with a date of its own at that moment, and from the next one only where it brings one month', async () => {
    const [february, march, may] = ['2021-02-03T12:00:00Z', '2021-03-03T12:00:00Z', '2021-05-04T12:00:00Z'];
    const at = (date: string, moment: string) => ({ date, at: moment, assumed: true as const });
    const prices = [at('2020-12-31', february), at('2021-01-31', february), at('2021-02-28', march)];
    const gold = file('World Bank', 'commodities');
    expect(await spans(gold, readerOf(prices))).toEqual([['2021-02-03T12:00:00.000Z', '2021-03-03T12:00:00.000Z']]);
    const later = [...prices, at('2021-03-31', may), at('2021-04-30', may)];
    expect(await spans(gold, readerOf(later))).toEqual([
      ['2021-02-03T12:00:00.000Z', '2021-03-03T12:00:00.000Z'],
      ['2021-05-04T12:00:00.000Z', '2021-05-04T12:00:00.000Z'],
    ]);
    expect(await tellsFrom(gold, { at: 0, by: 'public' }, readerOf(later))).toBe(ms(february));
    expect(await tellsFrom(gold, { at: 0, by: 'captured' }, readerOf(later))).toBe(Number.NEGATIVE_INFINITY);
  });

  it('of imports without times at each of them', async () => {
    const [first, second] = ['2021-02-20T10:00:00.123Z', '2021-03-20T10:00:00.456Z'];
    const rows = [
      { date: '2020-12-31', at: first },
      { date: '2021-01-31', at: first },
      { date: '2021-02-28', at: second },
    ];
    expect(await spans(file('FRED'), readerOf(rows))).toEqual([
      [first, first],
      [second, second],
    ]);
  });

  it('of vintages from one release to the next, and at a look between them', async () => {
    const [january, february, march] = ['2021-02-05T13:30:00Z', '2021-03-05T13:30:00Z', '2021-04-02T12:30:00Z'];
    const releases = listed([january, february], [february], [march]);
    const whole = [['2021-02-05T13:30:00.000Z', '2021-04-02T12:30:00.000Z']];
    expect(await spans(file('ALFRED'), readerOf(releases))).toEqual(whole);
    // Noon is the end of a day on which somebody downloaded a vintage of ALFRED.
    const noon = '2021-04-03T12:00:00Z';
    const looked = listed([january, february], [february], [noon]);
    expect(await spans(file('ALFRED'), readerOf(looked))).toEqual([
      ['2021-02-05T13:30:00.000Z', '2021-03-05T13:30:00.000Z'],
      ['2021-04-03T12:00:00.000Z', '2021-04-03T12:00:00.000Z'],
    ]);
    const same = [['2021-02-05T13:30:00.000Z', '2021-04-03T12:00:00.000Z']];
    // A release that a calendar has at noon is none.
    const released = readerOf(looked, false, 'confirmed');
    expect(await spans(file('ALFRED'), released)).toEqual(same);
    expect(await spans(file('Philadelphia Fed'), readerOf(looked))).toEqual(same);
    expect(await spans(file('Eurostat'), readerOf(releases))).toHaveLength(3);
  });

  it('of vintages before 1970, too', async () => {
    const old = [
      { date: '1955-03-31', list: ['1955-05-06T13:30:00Z'] },
      { date: '1955-04-30', list: ['1955-05-06T13:30:00Z'] },
      { date: '1955-05-31', list: ['1955-06-08T12:00:00Z'] },
    ];
    expect(await spans(file('Philadelphia Fed'), readerOf(old))).toEqual([
      ['1955-05-06T13:30:00.000Z', '1955-06-08T12:00:00.000Z'],
    ]);
    expect(await spans(file('ALFRED'), readerOf(old))).toHaveLength(2);
  });
});
