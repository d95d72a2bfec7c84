import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const folder = freshFolder();

async function read(now: string, rates: readonly string[]) {
  const path = join(folder, 'rates.csv');
  writeFileSync(path, `${['Date,USD', ...rates].join(',\n')},\n`);
  const { code, err } = await macro(`import ecb ${path} --quiet`, testPlatform({ folder, now }));
  expect([code, err]).toEqual([0, '']);
}

beforeAll(async () => {
  await read('2026-11-20T18:00:00Z', ['2026-11-20,1.150', '2026-11-19,1.14', '2026-11-18,1.13']);
  await read('2026-11-22T18:00:00Z', ['2026-11-20,1.16', '2026-11-18,1.13']);
});

const run = (line: string) => macro(line, testPlatform({ folder, now: '2026-11-23T12:00:00Z' }));
const lines = async (line: string) => {
  const { code, out } = await run(`${line} --fields change,row,old,new,fields --format csv --no-header`);
  return [code, ...out.trim().split('\n')];
};

describe('macro diff', () => {
  it('tells what became public, what was corrected and what was taken back', async () => {
    expect(await lines('diff fx eur usd --from 2026-11-19 --to 2026-11-21')).toEqual([
      10,
      'added,2026-11-20,,1.150,',
      'added,2026-11-19,,1.14,',
    ]);
    expect(await lines('diff --from 2026-11-21 --allow-partial')).toEqual([
      0,
      'revised,2026-11-20,1.150,1.16,"[""val""]"',
      'withdrawn,2026-11-19,1.14,,',
    ]);
    expect(await lines('diff --from 2026-11-23')).toEqual([10, '']);
  });

  it('names what it cannot compare: dates that the mirror does not hold', async () => {
    const { code, out, err } = await run('diff --from 2026-11-19 --to 2026-11-22 --format json --quiet');
    expect([code, JSON.parse(out).mirror]).toEqual([
      10,
      {
        complete: false,
        missing: [{ to: '2026-11-17' }, { from: '2026-11-21', to: '2026-11-23' }],
        checked_at: '2026-11-23T12:00:00Z',
      },
    ]);
    expect(err).toContain('macro import ecb');
  });

  it('goes by what the mirror held, and says where it held nothing', async () => {
    const { out, err } = await run('diff eur --from 2026-11-20 --to -1d --availability mirrored --format json');
    const { data, ...told } = JSON.parse(out);
    expect(told).toEqual({
      from: '2026-11-20T00:00:00Z',
      to: '2026-11-22T00:00:00Z',
      availability: 'mirrored',
      count: 3,
      has_more: false,
    });
    expect(data.map(({ change, row }: Record<string, string>) => `${change} ${row}`)).toEqual([
      'added 2026-11-20',
      'added 2026-11-19',
      'added 2026-11-18',
    ]);
    expect(err).toContain('The mirror has no history of fx eur usd before 2026-11-20T00:00:00Z');
  });

  it('says where nobody looked between the moments, instead of that nothing changed', async () => {
    const at = testPlatform({ now: '2026-11-23T12:00:00Z' });
    writeFileSync(join(at.folder, 'whole.csv'), 'Date,USD,\n2026-04-13,1.16,\n2026-04-10,1.17,\n1999-01-04,1.1789,\n');
    expect((await macro('import ecb whole.csv --quiet', at)).code).toBe(0);
    const { code, out, err } = await macro('diff fx eur usd --from -7d --format json', at);
    const { data, mirror } = JSON.parse(out);
    // The rate of Tuesday, 14 April, came at 16:00 in Frankfurt.
    expect([code, data, mirror.missing]).toEqual([
      10,
      [],
      [{ from: '2026-04-14T14:00:00Z', to: '2026-11-16T00:00:00Z' }],
    ]);
    expect(err).toContain(
      'Nobody looked between 2026-11-16T00:00:00Z and 2026-11-23T12:00:00Z: what the mirror knows of it ends at 2026-04-14T14:00:00Z.',
    );
    const since = await macro('diff fx eur usd --from 2026-04-12 --format json', at);
    expect([since.code, JSON.parse(since.out).count, since.err.includes('Nobody looked')]).toEqual([0, 1, false]);
  });

  it('stops at the limit and says so', async () => {
    const { code, out, err } = await run('diff --from 2026-11-21 --limit 1 --format json');
    expect([code, JSON.parse(out)]).toEqual([10, expect.objectContaining({ count: 1, has_more: true })]);
    expect(err).toContain('there are more than 1 differences');
  });

  it.each([
    ['diff', 2, 'macro diff needs the moment to start from.'],
    ['diff --from 2026-11-22 --to 2026-11-21', 2, '--from must not be after --to.'],
    ['diff --from 2027-01-01', 2, '--from 2027-01-01T00:00:00Z lies in the future.'],
    ['diff --from -1d --availability anybody', 2, "'anybody' is no legal value for --availability."],
    ['diff --from -1d fx gbp jpy', 3, "No series of the mirror is named 'fx gbp jpy'."],
  ])('%s', async (line, code, sentence) => {
    const ran = await run(line);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(sentence);
  });
});

describe('macro why', () => {
  it('tells each value of a rate, since when it was known to whom, by which rule, and which file brought it', async () => {
    const { code, out } = await run('why EUR/USD 2026-11-20 --format json');
    expect([code, JSON.parse(out).data]).toEqual([
      0,
      [
        {
          series: 'fx eur usd',
          date: '2026-11-20',
          val: 1.15,
          marks: 'assumed time',
          public: '2026-11-20T15:00:00Z',
          captured: '2026-11-20T18:00:00Z',
          mirrored: '2026-11-20T18:00:00Z',
          until: '2026-11-22T18:00:00Z',
          source: 'European Central Bank',
          request: expect.stringMatching(/^import ecb rates\.csv sha256:[0-9a-f]{64} covers \S+$/),
          how: 'imported; published at 16:00 Frankfurt time of its day, assumed: the file does not say',
          origin: 'import:ECB',
          commit: 1,
          ended: {
            commit: 2,
            at: '2026-11-22T18:00:00Z',
            request: expect.stringMatching(/^import ecb rates\.csv sha256:[0-9a-f]{64} covers \S+$/),
          },
          text: '{"date":"2026-11-20","val":1.150}',
        },
        {
          series: 'fx eur usd',
          date: '2026-11-20',
          val: 1.16,
          marks: 'revised',
          public: '2026-11-22T18:00:00Z',
          captured: '2026-11-22T18:00:00Z',
          mirrored: '2026-11-22T18:00:00Z',
          source: 'European Central Bank',
          request: expect.stringMatching(/^import ecb rates\.csv sha256:[0-9a-f]{64} covers \S+$/),
          how: 'dated by the mirror, which saw it first then',
          origin: 'import:ECB',
          commit: 2,
          text: '{"date":"2026-11-20","val":1.16}',
        },
      ],
    ]);
    expect(out).toContain('"val":1.150');
  });

  it('takes a pair in any spelling, and tells of a row that is gone', async () => {
    const texts = await Promise.all(
      ['why eurusd 2026-11-19', 'why eur usd 2026-11-19'].map(async (line) => (await run(line)).out),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('withdrawn since');
  });

  it.each([
    ['why eur/usd', 2, "'usd' is no date"],
    ['why eur 2026-11-20', 2, 'macro why needs CCY/INDICATOR, BASE/QUOTE or the words of a series, then a date.'],
    ['why usd/inflation 2026-10-31', 3, 'The mirror has nothing for announcements USD inflation.'],
    ['why eur/usd 2026-11-17', 10, 'Missing in the mirror: fx eur usd for 2026-11-17.'],
    ['why eur/usd 2026-11-17', 10, 'macro import ecb'],
  ])('%s', async (line, code, sentence) => {
    const ran = await run(line);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(sentence);
  });
});

it('names the origin where two publishers have one series', async () => {
  const own = freshFolder();
  const at = testPlatform({ folder: own, now: '2026-11-23T12:00:00Z', env: { NO_COLOR: '1' }, terminal: true });
  writeFileSync(join(own, 'ecb.csv'), 'Date,USD,\n2026-11-20,1.15,\n');
  writeFileSync(join(own, 'table.csv'), 'When,Rate\n2026-11-20,1.16\n');
  const table = "import csv table.csv --publisher Mine --as 'fx eur usd' --date When --value Rate";
  for (const line of ['import ecb ecb.csv', table]) expect((await macro(line, at)).code).toBe(0);
  const { out } = await macro('diff fx eur usd --from 2026-11-19 --allow-partial', at);
  expect(out.split('\n').filter((line) => /^(change|added)/.test(line))).toEqual([
    'change  series      origin       row          new',
    'added   fx eur usd  import:ECB   2026-11-20  1.15',
    'added   fx eur usd  import:Mine  2026-11-20  1.16',
  ]);
});
