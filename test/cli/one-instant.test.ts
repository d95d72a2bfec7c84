import { describe, expect, it } from 'vitest';
import { asJsonText, type JsonObject } from '../../src/contract/json/json.ts';
import { commitOfAnswer } from '../../src/source/stored/answer-commit.ts';
import { question, whole } from '../source/world.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { freshMirror, SERVICE_URL, serviceOver } from '../support/service.ts';

/** Rows in the shape of real answers: several entries claim the release, some with a capture and some without. */
const RELEASE = 1_786_537_800; // 2026-08-12T12:30:00Z
const NANO = '000000001';
const entry = (val: number, more: JsonObject = {}): JsonObject => ({ epoch: RELEASE, val, ...more });
const captured = (iso: string) => ({
  observed_at_ns_string: `${Date.parse(iso) / 1000}${NANO}`,
  is_first_release: false,
});
const row = (date: string, revisions: readonly JsonObject[]): JsonObject => ({
  date,
  val: revisions.at(-1)?.val ?? null,
  announcement_datetime: RELEASE,
  change_from_previous: 0.1,
  vintage_status: 'captured_snapshot',
  revisions,
});

const LEGACY = { vintage_status: 'legacy_snapshot', is_first_release: false };
const BACKFILL = captured('2026-09-11T05:25:23Z');
const ROWS = [
  // A confirmed entry owns the release, wherever it stands in the list.
  row('2026-07-31', [entry(3.5, BACKFILL), entry(3.4, { publication_time_status: 'confirmed' })]),
  // Nobody owns it.
  row('2026-06-30', [entry(3.6, LEGACY), entry(3.7, BACKFILL)]),
  // Two own it.
  row('2026-05-31', [entry(3.8, { is_first_release: true }), entry(3.9, { publication_time_status: 'confirmed' })]),
];

const NOW = '2026-11-21T12:00:00Z';
const asked = question(
  'announcements',
  { currency: 'USD', indicator: 'inflation' },
  { start_date: '2026-05-01', end_date: '2026-08-01' },
);

/** A mirror that took these rows on 1 October. */
async function setUp() {
  const test = testPlatform({ now: NOW });
  const mirror = await freshMirror(test.platform);
  const body = asJsonText(JSON.stringify({ unit: '%YoY', pagination: whole(3), data: ROWS }));
  const reply = {
    status: 200,
    body,
    etag: undefined,
    request: 'GET',
    synthetic: false,
    edgeHit: false,
    notes: [],
  } as const;
  const at = Date.parse('2026-10-01T00:00:00Z');
  await mirror.commitPage(commitOfAnswer({ ...asked, reply, service: 'https://s.test', access: 'key:1', at }));
  const run = async (line: string) => {
    const { code, out, err } = await macro(`${line} --mirror ${mirror.name} --format json`, test);
    if (code !== 0) throw new Error(`${code}: ${err}`);
    return JSON.parse(out);
  };
  const serve = async (query: string): Promise<{ data: readonly JsonObject[] }> => {
    const { fetch } = await serviceOver(mirror, test.platform);
    const url = `${SERVICE_URL}/v1/announcements/usd/inflation?${query}`;
    return (await (await fetch(url, { headers: { 'x-api-key': 'k' } })).json()) as { data: readonly JsonObject[] };
  };
  return { run, serve };
}

const shown = (data: readonly JsonObject[]) => data.map(({ date, val, reason }) => [date, val, reason]);

const AUGUST = [
  ['2026-07-31', 3.4, undefined],
  ['2026-06-30', null, 'ambiguous'],
  ['2026-05-31', null, 'ambiguous'],
];
const SEPTEMBER = [
  ['2026-07-31', 3.5, undefined],
  ['2026-06-30', 3.7, undefined],
  ['2026-05-31', null, 'ambiguous'],
];

describe('several values that claim one release', () => {
  it.each([
    ['2026-08-20', AUGUST],
    ['2026-09-20', SEPTEMBER],
  ])('are told alike at the terminal and served, as of %s', async (day, rows) => {
    const { run, serve } = await setUp();
    const window = '--start 2026-05-01 --end 2026-08-01';
    expect(
      shown((await run(`announcements usd inflation --allow-partial ${window} --as-of ${day} --offline`)).data),
    ).toEqual(rows);
    expect(shown((await serve(`start_date=2026-05-01&end_date=2026-08-01&as_of=${day}`)).data)).toEqual(rows);
  });

  it('are told by macro why with their times and what claims them', async () => {
    const { run } = await setUp();
    const told = async (date: string) =>
      (await run(`why usd/inflation ${date}`)).data.map(({ val, public: at, ambiguous, how }: JsonObject) => ({
        val,
        at,
        ambiguous,
        how,
      }));
    const release = '2026-08-12T12:30:00Z';
    const capture = `2026-09-11T05:25:23.${NANO}Z`;
    const rival = 'other values claim the same publication time';
    expect(await told('2026-07-31')).toEqual([
      { val: 3.4, at: release, how: 'listed among the vintages of the row' },
      { val: 3.5, at: capture, how: 'dated by its capture: another value owns the publication time that it claims' },
    ]);
    expect(await told('2026-06-30')).toEqual([
      { val: 3.7, at: capture, ambiguous: { from: release, until: capture }, how: rival },
      { val: 3.6, at: '2026-10-01T00:00:00Z', ambiguous: { from: release, until: capture }, how: rival },
    ]);
    expect(await told('2026-05-31')).toEqual([
      { val: 3.8, at: release, ambiguous: { from: release }, how: rival },
      { val: 3.9, at: release, ambiguous: { from: release }, how: rival },
    ]);
  });

  it('are told by macro diff as they were known', async () => {
    const { run } = await setUp();
    const { data } = await run('diff announcements usd inflation --from 2026-08-20 --to 2026-09-20 --allow-partial');
    expect(data.map(({ change, row: name, old, new: value }: JsonObject) => [change, name, old, value])).toEqual([
      ['revised', '2026-07-31', 3.4, 3.5],
      ['revised', '2026-06-30', null, 3.7],
    ]);
  });
});
