import { describe, expect, it } from 'vitest';
import type { Args } from '../../../src/contract/params/params.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { PageCommit } from '../../../src/mirror/api/page-commit.ts';
import type { AccessTag, SeriesKey } from '../../../src/mirror/api/series.ts';
import { undoRequest } from '../../../src/mirror/rules/as-of/undone.ts';
import { freshnessOf } from '../../../src/source/choose-source.ts';
import { CALENDAR, EURUSD, INFLATION, page, rate, SERVICE, testMirror } from '../../mirror/support.ts';
import { DAY_MS, NOW, SECOND } from './moment.ts';
import { endpointOf } from './stored.ts';

const YESTERDAY = NOW - DAY_MS;
const EURO = { base: 'EUR', quote: 'USD' };
const WINDOW = { ...EURO, start_date: '2026-01-01', end_date: '2026-11-21', limit: 100, offset: 0 };
const COT: SeriesKey = { origin: SERVICE, endpoint: 'cot', scope: { currency: 'EUR', report: 'legacy_futures' } };
const whole = (at: number) => ({ from: '1900-01-01', to: new Date(at).toISOString().slice(0, 10), rows: 1 });

/** A commit of a row of a series that shows all of it, at a moment. */
const answer = (series: SeriesKey, at: number, more: Partial<PageCommit> = {}) =>
  page([rate('2026-11-20', 1.15)], { series, at, covered: whole(at), ...more });

async function held(...commits: readonly PageCommit[]): Promise<Mirror> {
  const { mirror } = await testMirror();
  for (const commit of commits) await mirror.commitPage(commit);
  return mirror;
}

interface Asked {
  readonly access?: AccessTag;
  readonly extra?: Readonly<Record<string, string>>;
  readonly isKeyless?: boolean;
}

const fresh = (mirror: Mirror, id: string, args: Args, { access = 'key:1', extra, isKeyless = false }: Asked = {}) =>
  freshnessOf(
    { mirror },
    { endpoint: endpointOf(id), args, ...(extra && { extra }) },
    { caller: isKeyless ? { kind: 'keyless' } : { kind: 'owner' }, now: NOW, access },
  );

describe('what the mirror could say to a question', () => {
  it('is as fresh as the look that covers it', async () => {
    expect(await fresh(await held(answer(EURUSD, YESTERDAY)), 'forex', WINDOW)).toStrictEqual({ checkedAt: YESTERDAY });
    const both = await held(answer(EURUSD, YESTERDAY), answer(EURUSD, NOW));
    expect(await fresh(both, 'forex', WINDOW)).toStrictEqual({ checkedAt: NOW });
  });

  it('is not proven where a part of it is not covered, or not for who asks', async () => {
    const part = await held(answer(COT, NOW, { covered: { from: '2026-11-01', to: '2026-11-21', rows: 1 } }));
    const asked = { ...COT.scope, limit: 100, offset: 0 };
    expect(await fresh(part, 'cot', { ...asked, start_date: '2026-11-01' })).toStrictEqual({ checkedAt: NOW });
    expect(await fresh(part, 'cot', { ...asked, start_date: '2026-10-31' })).toStrictEqual({ checkedAt: undefined });
    expect(await fresh(await held(answer(COT, NOW)), 'cot', asked, { access: 'key:2' })).toStrictEqual({
      checkedAt: undefined,
    });
  });

  it('is nothing where nothing is held for it', async () => {
    expect(await fresh(await held(), 'forex', WINDOW)).toBeUndefined();
    expect(await fresh(await held(answer(EURUSD, NOW)), 'cot', COT.scope)).toBeUndefined();
  });

  it('is nothing where it cannot be computed from what is held', async () => {
    const mirror = await held(answer(EURUSD, NOW), answer(INFLATION, NOW));
    expect(await fresh(mirror, 'forex', WINDOW, { extra: { later: '1' } })).toBeUndefined();
    expect(await fresh(mirror, 'forex', WINDOW, { extra: {} })).toStrictEqual({ checkedAt: NOW });
    const replayed = { ...INFLATION.scope, value_mode: 'first_release' };
    expect(await fresh(mirror, 'announcements', replayed)).toBeUndefined();
    expect(await fresh(mirror, 'ping', {})).toBeUndefined();
    expect(await fresh(mirror, 'announcements', { ...INFLATION.scope, of_later: 'value' })).toStrictEqual({
      checkedAt: NOW,
    });
  });

  it('is that of the question which another name stands for', async () => {
    const mirror = await held(answer(INFLATION, NOW));
    expect(await fresh(mirror, 'latest_announcements_series', INFLATION.scope)).toStrictEqual({ checkedAt: NOW });
  });

  it('goes by the window that is shown without a key', async () => {
    const shown = { from: '2026-08-23', to: '2026-11-21', rows: 1 };
    const mirror = await held(answer(INFLATION, NOW, { covered: shown, access: 'keyless' }));
    const asked = { ...INFLATION.scope, start_date: '2020-01-01' };
    expect(await fresh(mirror, 'announcements', asked, { access: 'keyless', isKeyless: true })).toStrictEqual({
      checkedAt: NOW,
    });
    expect(await fresh(mirror, 'announcements', asked)).toStrictEqual({ checkedAt: undefined });
  });
});

describe('an answer that is made of several series', () => {
  const panel = { series: ['USD:inflation', 'USD:gdp'], decision_times: ['2026-11-20T00:00:00Z'] };
  const asked = { ...panel, start_date: '2026-01-01', end_date: '2026-11-20', availability: 'public' };
  const GDP = { ...INFLATION, scope: { currency: 'USD', indicator: 'gdp' } };

  it('is as old as the oldest of them', async () => {
    const [older, newer] = [answer(INFLATION, YESTERDAY), answer(GDP, NOW)];
    expect(await fresh(await held(older, newer), 'research_panel', asked)).toStrictEqual({ checkedAt: YESTERDAY });
    expect(await fresh(await held(newer, older), 'research_panel', asked)).toStrictEqual({ checkedAt: YESTERDAY });
  });

  it('is not proven where one of them is not, and nothing where it needs all and one is not held', async () => {
    const part = answer(GDP, NOW, { covered: { from: '2026-11-01', to: '2026-11-21', rows: 1 } });
    expect(await fresh(await held(answer(INFLATION, NOW), part), 'research_panel', asked)).toStrictEqual({
      checkedAt: undefined,
    });
    expect(await fresh(await held(answer(INFLATION, NOW)), 'research_panel', asked)).toBeUndefined();
  });

  it('is not proven where no series tells what else there is', async () => {
    const mirror = await held(answer(INFLATION, NOW));
    expect(await fresh(mirror, 'announcements_recent', { currency: 'USD', limit: 10, offset: 0 })).toStrictEqual({
      checkedAt: undefined,
    });
  });

  it('is held where any of them is, if it does not need all', async () => {
    const reverse = { ...EURUSD, scope: { base: 'USD', quote: 'EUR' } };
    expect(await fresh(await held(answer(reverse, NOW)), 'forex', WINDOW)).toStrictEqual({ checkedAt: NOW });
  });

  it('goes by the window that its rule names', async () => {
    const covered = { from: '2026-01-01', to: '2026-11-21', rows: 1 };
    const mirror = await held(answer(EURUSD, NOW, { covered }));
    expect(await fresh(mirror, 'forex', WINDOW)).toStrictEqual({ checkedAt: NOW });
    expect(await fresh(mirror, 'forex', { ...WINDOW, indicators: ['rsi'] })).toStrictEqual({ checkedAt: undefined });
  });
});

describe('a position that only the service reads', () => {
  it.each([{ cursor: 'c' }, { checkpoint: 'c' }])('makes nothing proven: %o', async (position) => {
    const { scope } = COT;
    const mirror = await held(answer(COT, NOW));
    expect(await fresh(mirror, 'cot', { ...scope, ...position })).toStrictEqual({ checkedAt: undefined });
    expect(await fresh(mirror, 'cot', scope)).toStrictEqual({ checkedAt: NOW });
  });

  it('nor is a sequence ever, which may have gone on', async () => {
    const changes: SeriesKey = { origin: SERVICE, endpoint: 'risk_sentiment_changes', scope: {} };
    const rows = ['{"change_sequence":1,"date":"2026-11-20"}'];
    const mirror = await held(page(rows, { series: changes, at: NOW, covered: { from: 0, to: 1, rows: 1 } }));
    expect(await fresh(mirror, 'risk_sentiment_changes', {})).toStrictEqual({ checkedAt: undefined });
  });
});

it('a release that came out since is told', async () => {
  const event = { announcement_datetime: SECOND - 9, calendar_event_id: 'e', release: 'inflation' };
  const calendar = page([JSON.stringify(event)], { series: CALENDAR, at: NOW - 60_000 });
  const mirror = await held(answer(INFLATION, NOW - 60_000), calendar);
  expect(await fresh(mirror, 'announcements', INFLATION.scope)).toStrictEqual({
    checkedAt: NOW - 60_000,
    releasedAt: NOW - 9000,
  });
});

it('a file that was taken back is as if it had never been there', async () => {
  const file = { ...EURUSD, origin: 'import:ECB' };
  const imported = answer(file, NOW, { access: 'key:import' });
  const mirror = await held(imported);
  expect(await fresh(mirror, 'forex', WINDOW)).toStrictEqual({ checkedAt: NOW });
  const [stored] = await mirror.find({ endpoint: 'forex', scope: {} });
  const undo = { since: 1, chain: stored?.chain ?? '', checkedAt: 0, coveredRanges: [] };
  const dates = { from: '1900-01-01', to: '2026-11-21' };
  const request = undoRequest({ since: 1, ...dates });
  await mirror.commitPage(page([], { series: file, at: NOW, access: 'key:import', request, undo, window: dates }));
  expect(await mirror.find({ endpoint: 'forex', scope: {} })).toHaveLength(1);
  expect(await fresh(mirror, 'forex', WINDOW)).toBeUndefined();
});
