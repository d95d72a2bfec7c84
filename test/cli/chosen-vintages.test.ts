import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_PAYROLLS, chosenPayrolls, firstDays } from '../support/payrolls.ts';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { macro } from '../support/run.ts';

const CHANGE = 'usd non_farm_payrolls_change';
const engines = ['a file', ...(POSTGRES_BIN === undefined ? [] : ['a server'])];

interface Cell {
  readonly val: number | null;
  readonly reason?: string;
}

/** A mirror of its own, and what it says. */
async function world(engine = 'a file') {
  const at = testPlatform();
  const mirror = engine === 'a file' ? '' : `--mirror ${await freshAddress()}`;
  const run = (line: string) => macro(`${line} ${mirror}`, at);
  const json = async (line: string) => {
    const { code, out } = await run(`${line} --format json --quiet`);
    return { code, body: out === '' ? undefined : JSON.parse(out) };
  };
  return {
    run,
    json,
    async bring(text: string, { name = 'alfredgraph.csv', words = '' } = {}) {
      writeFileSync(join(at.folder, name), text);
      expect((await run(`import ${words} ${name} --quiet`)).code).toBe(0);
    },
    /** Status, first print and its time. */
    async settled(period: string, of = CHANGE) {
      const { code, body } = await json(`settlement record ${of} --period ${period}`);
      const { status, first_print: print, settlement_value: value } = body;
      expect([code, value]).toEqual([0, print?.val]);
      return [status, print?.val, print?.announcement_datetime];
    },
    /** Exit code, what is missing, and the newest value with its date. The window ends with the file. */
    async knownAt(
      moment: string,
      of = `announcements ${CHANGE}`,
      [start, end]: readonly string[] = ['2020-02-01', '2021-12-31'],
    ) {
      const { code, body } = await json(`${of} --start ${start} --end ${end} --as-of ${moment}`);
      const [newest] = body?.data ?? [];
      return [code, body?.mirror?.missing ?? [], newest && [newest.date, newest.val]];
    },
    async panel(...moments: readonly string[]) {
      const series = CHANGE.replace(' ', '/');
      const { code, body } = await json(`panel --series ${series} --start 2020-02-01 --at ${moments.join(',')}`);
      const cells = body.data.map(({ values: [one] }: { values: [Cell] }) => one.reason ?? one.val);
      return [code, cells, body.mirror?.missing ?? []];
    },
  };
}

const VOID = ['void', undefined, undefined];

describe.each(engines)('a file of ALFRED with some of the vintages, in a mirror in %s', (engine) => {
  it('settles a period where the release before it is there, and where only that period is new', async () => {
    const { bring, settled } = await world(engine);
    await bring(chosenPayrolls('20210205', '20210305', '20211203', '20220107'));
    expect(await settled('2021-02-28')).toEqual(['settled', 379, '2021-03-05T13:30:00Z']);
    expect(await settled('2021-12-31')).toEqual(['settled', 199, '2022-01-07T13:30:00Z']);
    // In truth 49, 916, 235 and 210.
    for (const period of ['2021-01-31', '2021-03-31', '2021-08-31', '2021-11-30'])
      expect(await settled(period)).toEqual(VOID);
  });

  it('knows what was known between two releases that follow each other, and at each of the others', async () => {
    const { bring, knownAt } = await world(engine);
    await bring(chosenPayrolls('20210205', '20210305', '20211203', '20220107'));
    const since = (from: string, to: string) => [{ from, to }];
    const [february, december, january] = ['2021-03-05T13:30:00Z', '2021-12-03T13:30:00Z', '2022-01-07T13:30:00Z'];
    expect(await knownAt('2021-02-05T13:29:59Z')).toEqual([3, [], undefined]);
    expect(await knownAt('2021-02-05T13:30:00Z')).toEqual([0, [], ['2021-01-31', 49]]);
    expect(await knownAt('2021-03-05T13:29:59Z')).toEqual([0, [], ['2021-01-31', 49]]);
    expect(await knownAt(february)).toEqual([0, [], ['2021-02-28', 379]]);
    const second = '2021-03-05T13:30:01Z';
    expect(await knownAt(second)).toEqual([10, since(february, second), ['2021-02-28', 379]]);
    const autumn = '2021-09-15T00:00:00Z';
    expect(await knownAt(autumn)).toEqual([10, since(february, autumn), ['2021-02-28', 379]]);
    expect(await knownAt(december)).toEqual([0, [], ['2021-11-30', 210]]);
    expect(await knownAt('2021-12-20')).toEqual([0, [], ['2021-11-30', 210]]);
    expect(await knownAt(january)).toEqual([0, [], ['2021-12-31', 199]]);
  });

  it('compares no origin at a moment that it does not know', async () => {
    const { bring, run } = await world(engine);
    await bring(chosenPayrolls('20210205', '20210305', '20211203', '20220107'));
    const compare = async (at: string) => {
      const { code, out, err } = await run(`compare ${CHANGE} --origins --start 2021-02-01 --as-of ${at} --no-header`);
      return [code, out, err.includes('The mirror cannot tell what ALFRED said then.')];
    };
    expect(await compare('2021-03-05T13:30:00Z')).toEqual([0, '2021-02-28\t379\tfalse\n', false]);
    expect(await compare('2021-09-15')).toEqual([0, '', true]);
    expect(await compare('2021-01-15')).toEqual([0, '', true]);
  });

  it('says so in a panel', async () => {
    const { bring, panel } = await world(engine);
    await bring(chosenPayrolls('20210205', '20210305', '20211203', '20220107'));
    const at = ['2021-01-15', '2021-02-01', '2021-02-20', '2021-06-01', '2021-09-15', '2021-12-20'];
    const series = `announcements ${CHANGE}`;
    expect(await panel(...at.map((day) => `${day}T00:00:00Z`))).toEqual([
      10,
      ['not_known_then', 'not_known_then', 49, 'not_known_then', 'not_known_then', 210],
      [
        { from: '2021-01-14T23:59:59Z', to: '2021-02-05T13:30:00Z', series },
        { from: '2021-03-05T13:30:00Z', to: '2021-09-14T23:59:59Z', series },
      ],
    ]);
  });

  it('is whole with all of them, and stays so beside a vintage of years later, in either order', async () => {
    // As ALFRED had them on 30 March 2026.
    const later = 'observation_date,PAYEMS_CHG_20260330\n2021-02-01,517\n2021-03-01,852\n';
    const files = [chosenPayrolls(...ALL_PAYROLLS), later];
    for (const order of [files, files.toReversed()]) {
      const { bring, knownAt, settled, panel } = await world(engine);
      for (const file of order) await bring(file);
      expect(await settled('2021-02-28')).toEqual(['settled', 379, '2021-03-05T13:30:00Z']);
      expect(await settled('2021-09-30')).toEqual(['settled', 194, '2021-10-08T12:30:00Z']);
      expect(await knownAt('2021-09-15')).toEqual([0, [], ['2021-08-31', 235]]);
      const moment = '2023-06-01T00:00:00Z';
      const missing = { from: '2022-01-07T13:30:00Z', to: moment };
      const [, missingParts] = await knownAt(moment);
      expect(missingParts).toContainEqual(missing);
      expect((await knownAt('2026-03-31T12:00:00Z'))[1]).not.toContainEqual(expect.objectContaining({ to: moment }));
      expect((await panel('2021-09-15T00:00:00Z'))[1]).toEqual([235]);
    }
  });
});

describe('the rows of a period whose first print is not established', () => {
  it('claim no release, and are left out for --revisions first and final', async () => {
    const { bring, json } = await world();
    await bring(chosenPayrolls('20210205', '20210402', '20210507'));
    const row = async (options: string) => {
      const { body } = await json(`announcements ${CHANGE} --start 2021-02-01 --end 2021-02-28 ${options}`);
      const { val, announcement_datetime: at, revisions } = body.data[0];
      return [val, at, revisions];
    };
    const tail = { publication_time_status: 'assumed_historical', publication_time_precision: 'day' };
    const list = [
      { epoch: Date.parse('2021-04-02T12:30:00Z') / 1000, val: 468, ...tail },
      { epoch: Date.parse('2021-05-07T12:30:00Z') / 1000, val: 536, ...tail },
    ];
    expect(await row('')).toEqual([536, undefined, list]);
    for (const revisions of ['first', 'final']) {
      const { body } = await json(
        `announcements ${CHANGE} --start 2021-02-01 --end 2021-02-28 --revisions ${revisions} --allow-partial`,
      );
      expect([body.data, body.mirror.missing]).toEqual([[], [{ from: '2021-02-28', to: '2021-02-28' }]]);
    }
  });
});

describe('macro diff of vintages', () => {
  const compare = async ({ json }: Awaited<ReturnType<typeof world>>, from: string, to: string) => {
    const { code, body } = await json(`diff announcements ${CHANGE} --from ${from} --to ${to}`);
    const changes = body.data.map(({ change, row, old, new: val }: Record<string, unknown>) => [change, row, old, val]);
    return { code, missing: body.mirror?.missing ?? [], changes };
  };

  it('compares two moments that are both known, whatever lies between', async () => {
    const one = await world();
    await one.bring(chosenPayrolls('20210205', '20210305', '20211203', '20220107'));
    expect(await compare(one, '2021-02-10', '2021-03-10')).toEqual({
      code: 10,
      missing: [{ from: '2021-03-05T13:30:00Z', to: '2021-03-10T00:00:00Z' }],
      changes: expect.any(Array),
    });
    expect(await compare(one, '2021-02-10', '2021-03-05T13:30:00Z')).toEqual({
      code: 0,
      missing: [],
      changes: [
        ['added', '2021-02-28', undefined, 379],
        ['revised', '2021-01-31', 49, 166],
        ['revised', '2020-12-31', -227, -306],
      ],
    });
    expect(await compare(one, '2021-12-10', '2022-01-07T13:30:00Z')).toMatchObject({ code: 0, missing: [] });
  });

  it('is partial where either moment is not known', async () => {
    const one = await world();
    await one.bring(chosenPayrolls('20210205', '20210305', '20211203', '20220107'));
    expect((await compare(one, '2020-06-01', '2021-02-06')).missing).toEqual([
      { from: '2020-06-01T00:00:00Z', to: '2021-02-05T13:30:00Z' },
    ]);
    expect(await compare(one, '2021-05-01', '2021-09-15')).toEqual({
      code: 10,
      missing: [{ from: '2021-03-05T13:30:00Z', to: '2021-09-15T00:00:00Z' }],
      changes: [],
    });
    expect((await compare(one, '2021-05-01', '2022-06-01')).missing).toEqual([
      { from: '2021-03-05T13:30:00Z', to: '2021-05-01T00:00:00Z' },
      { from: '2022-01-07T13:30:00Z', to: '2022-06-01T00:00:00Z' },
    ]);
  });

  it('is not whole because of a file that is known from its import alone', async () => {
    const one = await world();
    await one.bring(chosenPayrolls(...ALL_PAYROLLS));
    const plain = 'observation_date,PAYEMS_CHG\n2021-11-01,658\n2021-12-01,586\n';
    await one.bring(plain, { name: 'PAYEMS.csv', words: 'fred' });
    expect(await compare(one, '2022-02-01', '2023-06-01')).toEqual({
      code: 10,
      missing: [{ from: '2022-01-07T13:30:00Z', to: '2023-06-01T00:00:00Z' }],
      changes: [],
    });
  });
});

describe('other files that show states of a series', () => {
  it('two vintages of FRED-MD say nothing of the years between', async () => {
    const { bring, knownAt } = await world();
    const codes = 'Transform:,2\n';
    await bring(`sasdate,UNRATE\n${codes}06/01/1999,4.3\n07/01/1999,4.3\n`, { name: '1999-08.csv' });
    await bring(`sasdate,UNRATE\n${codes}1/1/2024,3.7\n2/1/2024,3.9\n`, { name: '2024-03.csv' });
    const of = 'announcements usd unemployment';
    const moment = '2010-01-01T00:00:00Z';
    const [code, missing, newest] = await knownAt(moment, of, ['1999-07-01', '1999-07-31']);
    expect([code, newest]).toEqual([10, ['1999-07-31', 4.3]]);
    expect(missing).toContainEqual({ from: '1999-09-01T12:00:00Z', to: moment });
    expect((await knownAt('1999-09-01T11:59:59Z', of, ['1999-07-01', '1999-07-31']))[0]).toBe(3);
  });

  it('a table with vintages says nothing where one of them may be left out', async () => {
    const { bring, knownAt } = await world();
    const lines = [
      '2026-07,4.2,2026-08-07',
      '2026-08,4.3,2026-09-04',
      '2026-09,4.4,2026-11-06',
      '2026-10,4.5,2026-11-06',
    ];
    await bring(`Month,Rate,Known\n${lines.join('\n')}\n`, {
      name: 'rates.csv',
      words:
        "csv --as 'announcements usd unemployment' --date Month --value Rate --vintage Known --date-format YYYY-MM " +
        '--period month --begins 2026-07-31',
    });
    const [of, window] = ['announcements usd unemployment', ['2026-07-31', '2026-10-31']];
    // A date alone counts from noon UTC of the next day.
    expect(await knownAt('2026-09-01', of, window)).toEqual([0, [], ['2026-07-31', 4.2]]);
    expect(await knownAt('2026-09-05T12:00:00Z', of, window)).toEqual([0, [], ['2026-08-31', 4.3]]);
    const moment = '2026-10-15T00:00:00Z';
    expect(await knownAt(moment, of, window)).toEqual([
      10,
      [{ from: '2026-09-05T12:00:00Z', to: moment }],
      ['2026-08-31', 4.3],
    ]);
    expect(await knownAt('2026-11-07T12:00:00Z', of, window)).toEqual([0, [], ['2026-10-31', 4.5]]);
  });

  it('a vintage of ALFRED alone is a day of download, and the release came at any time before', async () => {
    const { bring, knownAt } = await world();
    await bring(chosenPayrolls('20211105', '20211203'));
    await bring(chosenPayrolls('20220107'));
    const [release, moment] = ['2021-12-03T13:30:00Z', '2022-01-08T11:59:59Z'];
    expect(await knownAt(release)).toEqual([0, [], ['2021-11-30', 210]]);
    expect(await knownAt(moment)).toEqual([10, [{ from: release, to: moment }], ['2021-11-30', 210]]);
    // The end of the day everywhere.
    expect(await knownAt('2022-01-08T12:00:00Z')).toEqual([0, [], ['2021-12-31', 199]]);
  });

  it('a file of Eurostat has the time of its data set, and a flash estimate may lie before it', async () => {
    const { bring, knownAt } = await world();
    const file = (update: string, ...lines: readonly string[]) =>
      [
        'DATAFLOW,LAST UPDATE,freq,unit,coicop,geo,TIME_PERIOD,OBS_VALUE',
        ...lines.map((line) => `ESTAT:PRC_HICP_MIDX(1.0),${update},M,I15,CP00,EA,${line}`),
        '',
      ].join('\n');
    const february = ['2026-01,129.1', '2026-02,129.8'];
    await bring(file('18/03/26 11:00:00', ...february), { name: 'march.csv' });
    await bring(file('16/04/26 11:00:00', ...february, '2026-03,130.4'), { name: 'april.csv' });
    const [of, window] = ['announcements eur inflation --frequency level', ['2026-01-31', '2026-03-31']];
    // The excerpt misses the months that changes rest on: what counts here are the times that nobody looked at.
    const uncheckedAt = async (at: string) => {
      const [, missing, newest] = await knownAt(at, of, window);
      return [missing.filter(({ from }: { from?: string }) => from?.includes('T')), newest];
    };
    // 11:00 in Brussels is 10:00 UTC in March, before summer time.
    const moment = '2026-04-10T00:00:00Z';
    expect(await uncheckedAt('2026-03-18T10:00:00Z')).toEqual([[], ['2026-02-28', 129.8]]);
    expect(await uncheckedAt(moment)).toEqual([[{ from: '2026-03-18T10:00:00Z', to: moment }], ['2026-02-28', 129.8]]);
    expect(await uncheckedAt('2026-04-16T09:00:00Z')).toEqual([[], ['2026-03-31', 130.4]]);
  });

  it('an import of FRED is known at that moment, and nobody knows what came before the next one', async () => {
    const at = testPlatform({ now: '2026-03-20T12:00:00Z' });
    const file = (text: string) => writeFileSync(join(at.folder, 'UNRATE.csv'), text);
    const rows = 'observation_date,UNRATE\n2026-01-01,4.3\n2026-02-01,4.4\n';
    file(rows);
    expect((await macro('import UNRATE.csv --quiet', at)).code).toBe(0);
    await at.clock.advance(31 * 86_400_000);
    file(`${rows}2026-03-01,4.3\n`);
    expect((await macro('import UNRATE.csv --quiet', at)).code).toBe(0);
    await at.clock.advance(86_400_000);
    const line = 'announcements usd unemployment --start 2026-02-01 --end 2026-02-28 --format json --quiet --as-of';
    // The employment report of March came on 3 April 2026.
    const { code, out } = await macro(`${line} 2026-04-10`, at);
    expect([code, JSON.parse(out).mirror.missing]).toEqual([
      10,
      [{ from: '2026-03-20T12:00:00Z', to: '2026-04-10T00:00:00Z' }],
    ]);
    expect((await macro(`${line} 2026-03-20T12:00:00Z`, at)).code).toBe(0);
    expect((await macro(`${line} 2026-03-20T11:59:59Z`, at)).code).toBe(3);
  });

  it('estimates of output follow each other every month', async () => {
    const { bring, settled, knownAt } = await world();
    // The days are those of the releases; the numbers are made up.
    const days = ['20201222', '20210128', '20210225', '20210325', '20210429'];
    const table = [
      ...firstDays('1947-01-01', '2020-10-01', 3).map((date) => [date, '10', '10', '10', '10', '10']),
      ['2020-10-01', '.', '11', '12', '13', '13'],
      ['2021-01-01', '.', '.', '.', '.', '14'],
    ];
    const file = (...chosen: readonly number[]) =>
      [['DATE', ...days.map((day) => `GDPC1_${day}`)], ...table]
        .map((cells) => [cells[0], ...chosen.map((place) => cells[place + 1])].join(','))
        .join('\n');
    await bring(`${file(0, 1, 2, 3, 4)}\n`);
    expect(await settled('2020-12-31', 'usd gdp')).toEqual(['settled', 11, '2021-01-28T13:30:00Z']);
    expect(await settled('2021-03-31', 'usd gdp')).toEqual(['settled', 14, '2021-04-29T12:30:00Z']);
    expect(await knownAt('2021-04-20', 'announcements usd gdp', ['2020-10-01', '2021-03-31'])).toEqual([
      0,
      [],
      ['2020-12-31', 13],
    ]);
    const other = await world();
    await other.bring(`${file(0, 2, 4)}\n`);
    // The first one has its second estimate here; before the other one two months have no vintage.
    for (const period of ['2020-12-31', '2021-03-31']) expect(await other.settled(period, 'usd gdp')).toEqual(VOID);
    const moment = '2021-04-20T00:00:00Z';
    expect(await other.knownAt(moment, 'announcements usd gdp', ['2020-10-01', '2021-03-31'])).toEqual([
      10,
      [{ from: '2021-02-25T13:30:00Z', to: moment }],
      ['2020-12-31', 12],
    ]);
  });
});

it('a question without a window is known at the last vintage and right before it, whose day is the last of its window', async () => {
  const { bring, json } = await world();
  await bring(chosenPayrolls(...ALL_PAYROLLS));
  const answers: unknown[] = [];
  for (const second of ['29:59', '30:00', '30:01']) {
    const { code, body } = await json(`announcements ${CHANGE} --limit 1 --as-of 2022-01-07T13:${second}Z`);
    answers.push([
      code,
      body.data.map(({ date, val }: { date: string; val: number }) => [date, val]),
      body.mirror?.missing,
    ]);
  }
  expect(answers).toEqual([
    [0, [['2021-11-30', 210]], undefined],
    [0, [['2021-12-31', 199]], undefined],
    [10, [['2021-12-31', 199]], [{ from: '2022-01-07T13:30:00Z', to: '2022-01-07T13:30:01Z' }]],
  ]);
});
