import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json/json.ts';
import type { AsOf, Availability } from '../../src/contract/time/moments.ts';
import { at, JULY, JUNE, revisedRow } from '../support/revised-series.ts';
import { DAY, KEYED, KEYLESS, NOW, OWNER, question, world } from './world.ts';

const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };
const USD = { currency: 'USD', indicator: 'unemployment' };

interface Answer {
  readonly rows: readonly JsonObject[];
  /** When the mirror took it. */
  readonly taken?: string;
}

/** A mirror that took these answers about unemployment. */
async function holding(...answers: readonly Answer[]) {
  const made = await world();
  for (const { rows, taken } of answers) {
    const body = { currency: 'USD', indicator: 'unemployment', unit: '%', last_updated: 'now', data: rows };
    const asked = question('announcements', USD, YEAR);
    await made.take(asked, body, { at: taken === undefined ? NOW : Date.parse(taken), isAll: true });
  }
  const ask = async (query: Record<string, string>, caller = OWNER) =>
    (await made.ask(question('announcements', USD, { ...YEAR, ...query }), caller)).json;
  const values = async (query: Record<string, string>) =>
    (await ask(query)).data.map((one: JsonObject) => [one.date, one.val, one.previous_value]);
  return { ...made, ask, values };
}

describe('a history as it was known', () => {
  test('shows what was public then, and compares with what was public then', async () => {
    const { values } = await holding({ rows: [JULY, JUNE] });
    expect(await values({ as_of: '2026-08-07T12:29:59Z' })).toEqual([['2026-06-30', 4.1, undefined]]);
    expect(await values({ as_of: '2026-08-07T12:30:00Z' })).toEqual([
      ['2026-07-31', 4, 4.2],
      ['2026-06-30', 4.2, undefined],
    ]);
  });

  test('a date is its beginning', async () => {
    const { values } = await holding({ rows: [JULY, JUNE] });
    expect(await values({ as_of: '2026-08-07' })).toEqual(await values({ as_of: '2026-08-07T00:00:00Z' }));
    expect(await values({ as_of: '2026-08-07' })).toHaveLength(1);
  });

  test('captured trusts only what the service had captured, and the mirror only what it had', async () => {
    const { values } = await holding({ rows: [JULY, JUNE], taken: '2026-10-01T00:00:00Z' });
    const captured = { availability: 'captured' };
    expect(await values({ as_of: '2026-08-10', ...captured })).toEqual([['2026-06-30', 4.1, undefined]]);
    expect(await values({ as_of: '2026-08-20T09:00:00Z', ...captured })).toEqual([['2026-06-30', 4.2, undefined]]);
    expect(await values({ as_of: '2026-10-01', ...captured })).toHaveLength(2);
  });

  test('says which vintage was chosen and hides later ones', async () => {
    const { ask } = await holding({ rows: [JULY, JUNE] });
    const body = await ask({ as_of: '2026-08-10', offset: '1' });
    expect(body.data[0]).toMatchObject({
      val: 4.2,
      revisions: [{ val: 4.1 }, { val: 4.2 }],
      selected_vintage_known_at_ns: '1786105800000000000',
      replay_vintage_verified: false,
    });
    expect(body).toMatchObject({
      latest_available_date: '2026-07-31',
      pagination: { total_count: 2, offset: 1, has_more: false },
      replay: { as_of: '2026-08-10T00:00:00Z', availability: 'public' },
    });
    const [first] = (await ask({ as_of: '2026-08-10', offset: '1', revisions: 'first' })).data;
    expect(first).toMatchObject({ val: 4.1, selected_vintage_known_at_ns: `${at('2026-07-03T12:30:00Z')}000000000` });
  });

  test('does not know periods that were not out, not even their dates, nor anything that counts them', async () => {
    const { ask } = await holding({ rows: [JULY, JUNE] });
    const body = await ask({ as_of: '2026-07-10' });
    expect(body).toMatchObject({
      latest_available_date: '2026-06-30',
      earliest_available_date: '2026-06-30',
      unit: '%',
    });
    expect(body.data_quality).toMatchObject({ row_count: 1, data_lag_days: 10 });
    expect(body).not.toHaveProperty('last_updated');
  });

  test('finds the newest known period beyond the window, behind all that were not out', async () => {
    const rows = ['09', '08', '07', '06', '05', '04'].map((month, i) =>
      revisedRow(`2026-${month}-30`, i, `2026-${String(Number(month) + 1).padStart(2, '0')}-10T12:30:00Z`),
    );
    const { ask } = await holding({ rows });
    expect(await ask({ start_date: '2026-04-01', end_date: '2026-05-31', as_of: '2026-08-20' })).toMatchObject({
      latest_available_date: '2026-07-30',
      earliest_available_date: '2026-04-30',
      page_includes_latest_available: false,
    });
  });

  test('does not believe a second value that borrows the release time of the first', async () => {
    const release = '2026-07-03T12:30:00Z';
    const revisions = (first: boolean) => [
      { val: 4.1, epoch: release, first },
      { val: 4.4, epoch: release, seen: '2026-10-01T00:00:00Z' },
    ];
    const { values } = await holding({ rows: [revisedRow('2026-06-30', 4.4, release, revisions(true))] });
    expect(await values({ as_of: '2026-09-30' })).toEqual([['2026-06-30', 4.1, undefined]]);
    expect(await values({ as_of: '2026-10-01' })).toEqual([['2026-06-30', 4.4, undefined]]);
    const unowned = await holding({ rows: [revisedRow('2026-06-30', 4.4, release, revisions(false))] });
    expect(await unowned.values({ as_of: '2026-09-30' })).toEqual([['2026-06-30', null, undefined]]);
    expect(await unowned.values({ as_of: '2026-10-01' })).toEqual([['2026-06-30', 4.4, undefined]]);
  });

  test('an unlisted value of a row is never taken for the one that was released', async () => {
    const released = '2026-07-03T12:30:00Z';
    const { values } = await holding({
      rows: [revisedRow('2026-06-30', 4.9, released, [{ val: 4.1, epoch: released }])],
    });
    expect(await values({ as_of: '2026-08-01' })).toEqual([['2026-06-30', 4.1, undefined]]);
  });

  test('a value that only the mirror saw replaced answers for its time; a row that had vanished is not there', async () => {
    const released = '2026-07-03T12:30:00Z';
    const { values } = await holding(
      {
        rows: [JULY, revisedRow('2026-06-30', 4.1, released), revisedRow('2026-05-31', 4, '2026-06-05T12:30:00Z')],
        taken: '2026-08-10T00:00:00Z',
      },
      { rows: [JULY, revisedRow('2026-05-31', 4, '2026-06-05T12:30:00Z')], taken: '2026-08-15T00:00:00Z' },
      {
        rows: [JULY, revisedRow('2026-06-30', 4.6, released), revisedRow('2026-05-31', 4, '2026-06-05T12:30:00Z')],
        taken: '2026-09-01T00:00:00Z',
      },
    );
    const june = async (as_of: string) =>
      (await values({ as_of })).find(([date]: [string]) => date === '2026-06-30')?.[1];
    expect(await june('2026-07-03T12:30:00Z')).toBe(4.1);
    expect(await june('2026-08-14')).toBe(4.1);
    expect(await june('2026-08-20')).toBeUndefined();
    expect(await june('2026-09-01')).toBe(4.6);
  });

  test('is another answer for another moment, and is never kept', async () => {
    const { mirror, source } = await holding({ rows: [JULY, JUNE] });
    const before = await mirror.look();
    const asked = (as_of: string) =>
      source.ask(question('announcements', USD, { ...YEAR, as_of }), { caller: KEYED, now: NOW });
    const [one, same, other] = [await asked('2026-08-10'), await asked('2026-08-10'), await asked('2026-08-11')];
    expect(one.etag).toBe(same.etag);
    expect(one.etag).not.toBe(other.etag);
    expect(one.past).toEqual({ at: Date.parse('2026-08-10'), by: 'public' });
    expect(await mirror.look()).toBe(before);
  });

  test('a keyless caller sees of the past what they may see of it now', async () => {
    const { ask } = await holding({ rows: [revisedRow('2026-10-31', 4.4, '2026-11-13T13:30:00Z'), JULY, JUNE] });
    const body = await ask({ as_of: '2026-11-13T13:31:00Z' }, KEYLESS);
    expect(body.data.map(({ date }: JsonObject) => date)).toEqual(['2026-10-31']);
    expect(body.freemium_window.applied).toBe(true);
  });
});

describe('where the interface has no as_of', () => {
  const RATES = { base: 'EUR', quote: 'USD' };
  const rate = (date: string, val: number) => ({ date, val });

  async function rates() {
    const made = await world();
    const ask = async (query: Record<string, string>, asOf: AsOf) =>
      made.source.ask(question('forex', RATES, { start_date: '2026-11-01', ...query }), {
        caller: OWNER,
        now: NOW,
        asOf,
      });
    const take = (data: readonly JsonObject[], taken: string) =>
      made.take(
        question('forex', RATES, { start_date: '2026-11-01' }),
        {
          base: 'EUR',
          quote: 'USD',
          data,
          pagination: { limit: 100, offset: 0, returned_count: data.length, total_count: data.length, has_more: false },
        },
        { at: Date.parse(taken) },
      );
    return { ...made, ask, take };
  }
  const moment = (iso: string, by: Availability): AsOf => ({ at: Date.parse(iso), by });

  test('the mirror answers from what it knew, indicators included', async () => {
    const { ask, take } = await rates();
    await take([rate('2026-11-18', 1.3), rate('2026-11-17', 1.2)], '2026-11-18T17:00:00Z');
    await take([rate('2026-11-19', 1.5), rate('2026-11-18', 1.4), rate('2026-11-17', 1.2)], '2026-11-19T17:00:00Z');
    const then = JSON.parse((await ask({ indicators: 'sma_20' }, moment('2026-11-19T00:00:00Z', 'mirrored'))).body);
    expect(then.data).toMatchObject([rate('2026-11-18', 1.3), rate('2026-11-17', 1.2)]);
    const now = JSON.parse((await ask({}, moment('2026-11-20T00:00:00Z', 'mirrored'))).body);
    expect(now.data.map(({ val }: JsonObject) => val)).toEqual([1.5, 1.4, 1.2]);
  });

  test.each(['public', 'captured', 'mirrored'] as const)(
    'to %s it says that it cannot tell instead of guessing',
    async (by) => {
      const { ask, take } = await rates();
      await take([rate('2026-11-18', 1.3)], '2026-11-18T17:00:00Z');
      await expect(ask({}, moment('2026-11-18T16:59:59Z', by))).rejects.toMatchObject({
        kind: 'notFound',
        code: 'not_known_then',
        message: expect.stringContaining('It has them since 2026-11-18T17:00:00Z.'),
      });
    },
  );

  test.each(['public', 'captured', 'mirrored'] as const)(
    'to %s what was told of one moment says nothing of an earlier one',
    async (by) => {
      const { ask, take } = await rates();
      await take([rate('2026-11-18', 1.3)], '2026-11-18T17:00:00Z');
      const rowsAt = async (iso: string) => JSON.parse((await ask({}, moment(iso, by))).body).data;
      for (let time = 1; time <= 2; time += 1) {
        expect(await rowsAt('2026-11-19T00:00:00Z')).toMatchObject([rate('2026-11-18', 1.3)]);
        expect(await rowsAt('2026-11-18T17:00:00Z')).toMatchObject([rate('2026-11-18', 1.3)]);
        await expect(rowsAt('2026-11-18T16:59:59.999Z')).rejects.toMatchObject({ code: 'not_known_then' });
      }
    },
  );
});

describe('what is made of several series', () => {
  test('a differential knows a date when both of its legs were released', async () => {
    const { take, ask } = await world();
    const leg = (currency: string, rows: readonly (readonly [string, number, string])[]) =>
      take(question('announcements', { currency, indicator: 'policy_rate' }, YEAR), {
        currency,
        indicator: 'policy_rate',
        data: rows.map(([date, val, release]) => revisedRow(date, val, release)),
      });
    await leg('EUR', [
      ['2026-11-19', 2, '2026-11-19T12:00:00Z'],
      ['2026-11-17', 1.98, '2026-11-17T12:00:00Z'],
    ]);
    await leg('USD', [
      ['2026-11-19', 3.5, '2026-11-20T13:00:00Z'],
      ['2026-11-17', 3.5, '2026-11-18T13:00:00Z'],
    ]);
    const dates = async (query: Record<string, string>) => {
      const asked = question(
        'rate_differentials',
        { base: 'EUR', quote: 'USD' },
        { measure: 'policy_rate', ...YEAR, ...query },
      );
      return (await ask(asked, OWNER)).json.data.map(({ date }: JsonObject) => date);
    };
    expect(await dates({ as_of: '2026-11-20T12:59:59Z' })).toEqual(['2026-11-17']);
    expect(await dates({ as_of: '2026-11-20T13:00:00Z' })).toEqual(['2026-11-19', '2026-11-17']);
    await expect(dates({ as_of: '2026-11-20T13:00:00Z', availability: 'captured' })).rejects.toMatchObject({
      code: 'not_known_then',
    });
  });

  test('a curve shows a revised yield from its revision on, and each maturity of a list remembers its own values', async () => {
    const { take, ask } = await world();
    const node = (maturity: string, val: number) => ({
      date: '2026-11-18',
      maturity,
      val,
      announcement_datetime: at('2026-11-18T21:00:00Z'),
    });
    const list = (data: readonly JsonObject[], taken: string) =>
      take(question('curves', { currency: 'USD' }), { currency: 'USD', data }, { at: Date.parse(taken) });
    await list([node('5Y', 3.7), node('2Y', 3.5)], '2026-11-18T22:00:00Z');
    await list([node('5Y', 3.7), node('2Y', 3.55)], '2026-11-20T09:00:00Z');
    // That a catalogue came later says nothing about which maturities there are.
    const entry = { name: 'Government bond', unit: '%', frequency: 'Daily', coverage: {} };
    await take(
      question('data_catalogue', { currency: 'USD' }),
      { gov_bond_2y: entry, gov_bond_5y: entry },
      { at: Date.parse('2026-11-20T20:00:00Z') },
    );
    const values = async (as_of: string) =>
      (await ask(question('curves', { currency: 'USD' }, { as_of }), OWNER)).json.data.map(
        ({ val }: JsonObject) => val,
      );
    // A list of one day does not tell that there was no curve before.
    await expect(values('2026-11-18T20:59:59Z')).rejects.toMatchObject({ code: 'not_mirrored' });
    expect(await values('2026-11-19')).toEqual([3.5, 3.7]);
    expect(await values('2026-11-20T10:00:00Z')).toEqual([3.55, 3.7]);
  });

  test('a score that was not known then is not made up from the part of its components that was', async () => {
    const { take, source } = await world();
    const gold = Array.from({ length: 300 }, (_, i) => {
      const date = new Date(Date.parse('2026-11-18') - i * DAY).toISOString().slice(0, 10);
      return { date, val: 2000 + (i % 7), announcement_datetime: at(`${date}T15:00:00Z`) };
    });
    const taken = { at: Date.parse('2026-11-20T09:00:00Z') };
    await take(question('commodities', { indicator: 'gold' }), { indicator: 'gold', data: gold }, taken);
    await take(question('risk_sentiment', {}), { data: [{ date: '2026-11-18', val: 0.1, regime: 'neutral' }] }, taken);
    const ask = (iso: string) =>
      source.ask(question('risk_sentiment', {}), {
        caller: OWNER,
        now: NOW,
        asOf: { at: Date.parse(iso), by: 'public' },
      });
    await expect(ask('2026-11-20T08:59:59Z')).rejects.toMatchObject({
      code: 'not_known_then',
      message: expect.stringContaining('sentiment'),
    });
    expect(JSON.parse((await ask('2026-11-20T09:00:00Z')).body).data).toMatchObject([{ val: 0.1 }]);
  });

  test('a spread is not taken on another measure because the preferred one is not known of then', async () => {
    const { take, ask } = await world();
    const leg = (currency: string, indicator: string, row: JsonObject) =>
      take(question('announcements', { currency, indicator }, YEAR), { currency, indicator, data: [row] });
    for (const currency of ['EUR', 'USD']) {
      await leg(currency, 'policy_rate', revisedRow('2026-11-17', 2, '2026-11-17T12:00:00Z'));
      await leg(currency, 'risk_free_rate', { date: '2026-11-17', val: 1.9 });
    }
    const asked = question('rate_differentials', { base: 'EUR', quote: 'USD' }, { ...YEAR, as_of: '2026-11-18' });
    await expect(ask(asked, OWNER)).rejects.toMatchObject({
      code: 'not_known_then',
      message: expect.stringContaining('risk_free_rate'),
    });
  });
});
