import { describe, expect, it } from 'vitest';
import { asJsonText, readJson } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { FileLine, ImportFormat } from '../../src/imports/format.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { ALL_PAYROLLS, chosenPayrolls } from '../support/payrolls.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');
const alfred = formatNamed('alfred') ?? expect.fail();
const periods = formatNamed('alfred-periods') ?? expect.fail();

/** As programs before this rule read a file: the first vintage with a value counted as its release, whatever was left out. */
const credulous: ImportFormat = {
  ...alfred,
  *read(file) {
    for (const line of alfred.read(file)) yield { ...line, rows: line.rows.map(claimed) };
  },
};

function claimed({ series, row }: FileLine['rows'][number]): FileLine['rows'][number] {
  const [, first = ''] = /"revisions":\[\{"epoch":(\d+),/.exec(row.text) ?? [];
  if (first === FIRST_VINTAGE || row.text.includes('is_first_release')) return { series, row };
  const text = asJsonText(
    row.text
      .replace(
        '"revisions"',
        `"announcement_datetime":${first},"publication_time_status":"assumed_historical","revisions"`,
      )
      .replace(/("revisions":\[\{"epoch":\d+,"val":[^,]+,)/, '$1"is_first_release":true,'),
  );
  return { series, row: { text, value: readJson(text) } };
}

const seconds = (moment: string) => Date.parse(moment) / 1000;
/** 5 February 2021, 08:30 in New York. */
const FIRST_VINTAGE = String(seconds('2021-02-05T13:30:00Z'));

async function world() {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  let at = NOW - 1_000_000;
  const ask = async (id: string, query: Record<string, string>) => {
    const endpoint = endpointById(id) ?? expect.fail(id);
    const path = { currency: 'USD', indicator: 'non_farm_payrolls_change' };
    const { args } = readParams(endpoint, { path, query }, { mode: 'strict', now: NOW });
    return JSON.parse((await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: NOW })).body);
  };
  return {
    ask,
    mirror,
    source,
    platform,
    async bring(format: ImportFormat, ...vintages: readonly string[]) {
      at += 1000;
      const survey = surveyOf(format, chosenPayrolls(...vintages), { now: at, name: 'alfredgraph.csv' });
      await runImport({ surveys: [survey], mirror, now: at });
    },
    async settled(period: string) {
      const { status, first_print } = await ask('settlement', { period });
      return [status, first_print];
    },
    /** When the row says that it was released, and each of its vintages with the claim to be the first one. */
    async row(date: string) {
      const { data } = await ask('announcements', { start_date: date, end_date: date });
      const [{ val, announcement_datetime: release, revisions }] = data;
      return [
        val,
        release,
        revisions.map((one: Record<string, unknown>) => [one.epoch, one.val, one.is_first_release]),
      ];
    },
  };
}

describe('a mirror that was filled before vintages were compared', () => {
  it('settles nothing that it cannot prove', async () => {
    const { bring, settled, row } = await world();
    await bring(credulous, '20210205', '20210305', '20211203');
    // What the rows claim of themselves: in truth it was 235 on 3 September.
    const december = seconds('2021-12-03T13:30:00Z');
    expect(await row('2021-08-31')).toEqual([483, december, [[december, 483, true]]]);
    expect(await settled('2021-08-31')).toEqual(['void', undefined]);
    expect(await settled('2021-02-28')).toEqual([
      'settled',
      { val: 379, announcement_datetime: '2021-03-05T13:30:00Z' },
    ]);
  });

  it('is mended by its file', async () => {
    const { bring, row, mirror } = await world();
    await bring(credulous, '20210205', '20210305', '20211203');
    await bring(alfred, '20210205', '20210305', '20211203');
    const december = seconds('2021-12-03T13:30:00Z');
    expect(await row('2021-08-31')).toEqual([483, undefined, [[december, 483, undefined]]]);
    const march = seconds('2021-03-05T13:30:00Z');
    expect(await row('2021-02-28')).toEqual([
      536,
      march,
      [
        [march, 379, true],
        [december, 536, undefined],
      ],
    ]);
    expect((await mirror.verify()).findings).toEqual([]);
  });
});

describe('files of one series', () => {
  const [march, april, may] = ['2021-03-05T13:30:00Z', '2021-04-02T12:30:00Z', '2021-05-07T12:30:00Z'].map(seconds);

  it('together say what was a first print where one of them shows it', async () => {
    for (const files of [
      [
        ['20210205', '20210402', '20210507'],
        ['20210205', '20210305'],
      ],
      [
        ['20210205', '20210305'],
        ['20210205', '20210402', '20210507'],
      ],
    ]) {
      const { bring, row, settled } = await world();
      for (const vintages of files) await bring(alfred, ...vintages);
      expect(await row('2021-02-28')).toEqual([
        536,
        march,
        [
          [march, 379, true],
          [april, 468, undefined],
          [may, 536, undefined],
        ],
      ]);
      expect(await settled('2021-02-28')).toEqual([
        'settled',
        { val: 379, announcement_datetime: '2021-03-05T13:30:00Z' },
      ]);
    }
  });

  it('leave no claim to be the first to a vintage that is not', async () => {
    const { bring, row } = await world();
    await bring(credulous, '20210205', '20210402', '20210507');
    expect(await row('2021-02-28')).toMatchObject([536, april, [[april, 468, true], {}]]);
    await bring(alfred, '20210305');
    // One vintage alone is a day of download: it is known when that day is over.
    expect(await row('2021-02-28')).toEqual([
      536,
      undefined,
      [
        [seconds('2021-03-06T12:00:00Z'), 379, undefined],
        [april, 468, undefined],
        [may, 536, undefined],
      ],
    ]);
  });
});

describe('observations by real-time period', () => {
  it('claim a first print only where the vintage before it is the release before', async () => {
    const file = (...lines: readonly string[]) =>
      ['period_start_date,UNRATE,realtime_start_date,realtime_end_date', ...lines, ''].join('\n');
    const claims = (text: string) =>
      [...periods.read(surveyOf(periods, text).file)].flatMap(({ date, rows }) =>
        rows.map(({ row }) => [date, row.value.announcement_datetime, row.text.includes('"is_first_release":true')]),
      );
    const whole = ['2024-01-01,3.7,2024-02-02,', '2024-02-01,3.9,2024-03-08,', '2024-03-01,3.8,2024-04-05,'];
    const released = (day: string) => seconds(day);
    expect(claims(file(...whole))).toEqual([
      ['2024-01-31', undefined, false],
      ['2024-02-29', released('2024-03-08T13:30:00Z'), true],
      ['2024-03-31', released('2024-04-05T12:30:00Z'), true],
    ]);
    // The vintage of 8 March is left out: both months are new in April.
    const sparse = ['2024-01-01,3.7,2024-02-02,', '2024-02-01,3.9,2024-04-05,', '2024-03-01,3.8,2024-04-05,'];
    expect(claims(file(...sparse)).map(([, , isFirst]) => isFirst)).toEqual([false, false, false]);
    // The one of 8 March and that of 5 April are, and a revision in May looks like the first value of February.
    const late = ['2024-01-01,3.7,2024-02-02,', '2024-02-01,3.9,2024-05-03,'];
    expect(claims(file(...late)).map(([, , isFirst]) => isFirst)).toEqual([false, false]);
  });
});

describe('served', () => {
  it.each([
    ['2021-09-15T00:00:00Z', false, 200, 'partial', { from: '2021-03-05T13:30:00Z', to: '2021-09-15T00:00:00Z' }],
    ['2021-09-15T00:00:00Z', true, 503, undefined, { from: '2021-03-05T13:30:00Z', to: '2021-09-15T00:00:00Z' }],
    ['2021-02-20T00:00:00Z', false, 200, 'complete', undefined],
    ['2021-01-15T00:00:00Z', false, 404, undefined, undefined],
  ])('as of %s, strict %s: %i %s', async (moment, strict, status, header, missing) => {
    const { bring, mirror, source, platform } = await world();
    await bring(alfred, '20210205', '20210305', '20211203');
    const options = { labels: LABELS, quotas: false, open: true, strict };
    const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options });
    const url = `/v1/announcements/USD/non_farm_payrolls_change?start_date=2020-02-01&end_date=2021-11-30&as_of=${moment}`;
    const answer = await app.inject({ url, headers: { 'x-api-key': 'k' } });
    await app.close();
    const { mirror: mark, code } = answer.json();
    expect([answer.statusCode, answer.headers['x-svc-mirror'], mark?.missing]).toEqual([
      status,
      header,
      missing && [missing],
    ]);
    if (status === 404) expect([code, answer.json().error]).toContain('not_known_then');
  });
});

it('all vintages of the excerpt establish every first print but those of the oldest one', async () => {
  const { bring, row } = await world();
  await bring(alfred, ...ALL_PAYROLLS);
  const days = ALL_PAYROLLS.map((day) => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
  expect((await row('2021-01-31'))[1]).toBeUndefined();
  // February is first in the second vintage, and so on.
  for (const [i, period] of ['2021-02-28', '2021-03-31', '2021-04-30', '2021-05-31', '2021-06-30'].entries()) {
    const [, release] = await row(period);
    expect(new Date(Number(release) * 1000).toISOString().slice(0, 10)).toBe(days[i + 1]);
  }
});

it.each(['first', 'final'])(
  '--revisions %s names as missing the periods that no vintage proves, and none that it answers',
  async (revisions) => {
    const { bring, ask } = await world();
    // Without the release of April nobody knows whether March or April was first printed then.
    await bring(alfred, '20210205', '20210305', '20210507', '20210604');
    const window = { start_date: '2021-01-31', end_date: '2021-05-31', revisions };
    const { data, mirror } = await ask('announcements', window);
    const proven = ['2021-05-31', '2021-02-28'];
    expect(data.map(({ date }: { date: string }) => date)).toEqual(proven);
    expect(mirror.missing.filter((part: { for?: string }) => part.for === undefined)).toEqual([
      { from: '2021-01-31', to: '2021-01-31' },
      { from: '2021-03-31', to: '2021-04-30' },
    ]);
  },
);
