import { describe, expect, it } from 'vitest';
import type { Lack } from '../../../src/contract/hooks.ts';
import { isLost, lostPartOf, lostStretches } from '../../../src/source/coverage/unwatched.ts';
import { SERVICE, testMirror } from '../../mirror/support.ts';
import { NOW, SECOND } from './moment.ts';

/** The first second that the service keeps: seven days before the question. */
const OLDEST = SECOND - 604_800;
const feed: Lack['series'] = { endpoint: 'announcements_changes', scope: {} };
const hole = (from: number, to: number): Lack => ({ series: feed, range: { from, to } });

describe('a hole of events', () => {
  it('is lost once its end is older than what the service keeps', () => {
    expect(isLost(hole(OLDEST - 9, OLDEST - 1), { now: NOW })).toBe(true);
    expect(isLost(hole(OLDEST - 9, OLDEST), { now: NOW })).toBe(false);
    // Until the next second.
    expect(isLost(hole(OLDEST - 9, OLDEST), { now: NOW + 999 })).toBe(false);
    expect(isLost(hole(OLDEST - 9, OLDEST), { now: NOW + 1000 })).toBe(true);
  });

  it('is lost where the service had lost its end when it was asked', () => {
    const end = SECOND - 500;
    const isLostIn = (from: number | undefined, to: number | undefined) =>
      isLost(hole(end - 10, end), {
        now: NOW,
        lost: [
          { from: 1, to: 2 },
          { from, to },
        ],
      });
    expect(isLostIn(end, end)).toBe(true);
    expect(isLostIn(undefined, end)).toBe(true);
    expect(isLostIn(end + 1, end + 5)).toBe(false);
    expect(isLostIn(end - 5, end - 1)).toBe(false);
    expect(isLostIn(end - 5, undefined)).toBe(false);
    expect(isLost(hole(end - 10, end), { now: NOW, lost: [] })).toBe(false);
  });

  it('is none of another series, of a time that nobody looked at, or without a range', () => {
    const range = { from: 1, to: 2 };
    expect(isLost({ series: { endpoint: 'calendar', scope: { currency: 'USD' } }, range }, { now: NOW })).toBe(false);
    expect(isLost({ series: { endpoint: 'of_another_version', scope: {} }, range }, { now: NOW })).toBe(false);
    expect(isLost({ series: { endpoint: 'ping', scope: {} }, range }, { now: NOW })).toBe(false);
    expect(isLost({ series: feed, range, isUnseen: true }, { now: NOW })).toBe(false);
    expect(isLost({ series: feed }, { now: NOW })).toBe(false);
  });
});

describe('the part that nobody can bring', () => {
  const lostUntil = (iso: string) => ({
    lost: {
      text: `The service keeps events for 7 days, so those before ${iso} cannot be had any more.`,
      goOn: `macro announcements changes --since ${iso}`,
    },
  });

  it('is none where all of it can be had', () => {
    expect(lostPartOf([], { now: NOW })).toEqual({});
    expect(lostPartOf([hole(OLDEST, OLDEST + 9)], { now: NOW })).toEqual({});
    expect(lostPartOf([{ series: { endpoint: 'forex', scope: {} }, range: { from: 1, to: 2 } }], { now: NOW })).toEqual(
      {},
    );
  });

  it('ends behind the last hole that is lost, or where the service begins', () => {
    expect(lostPartOf([hole(OLDEST - 90, OLDEST - 61)], { now: NOW })).toEqual(lostUntil('2026-11-14T05:45:13Z'));
    // A hole that began before what is kept is lost up to there.
    expect(lostPartOf([hole(OLDEST - 1, SECOND)], { now: NOW })).toEqual(lostUntil('2026-11-14T05:46:13Z'));
    const both = [hole(OLDEST - 90, OLDEST - 61), hole(OLDEST - 1, SECOND), hole(OLDEST + 5, SECOND)];
    expect(lostPartOf(both, { now: NOW })).toEqual(lostUntil('2026-11-14T05:46:13Z'));
  });

  it('ends behind what the journal knows as lost', () => {
    const lost = [{ from: SECOND - 100, to: SECOND - 73 }];
    expect(lostPartOf([hole(SECOND - 90, SECOND - 74)], { now: NOW, lost })).toEqual(lostUntil('2026-11-21T05:45:00Z'));
  });
});

it('what the journal knows as lost are its open holes that have an end', async () => {
  const { journal } = (await testMirror()).mirror;
  const noted = { origin: SERVICE, reason: 'lost', via: 'changes', notedAt: NOW } as const;
  await journal.noteGap({ ...noted, from: 10, to: 20 });
  await journal.noteGap({ ...noted, from: 100, to: undefined });
  await journal.closeGap(await journal.noteGap({ ...noted, from: 30, to: 40 }), NOW);
  await journal.noteGap({ ...noted, from: undefined, to: 5 });
  const stretches = (await lostStretches(journal)).map(({ from, to }) => [from, to]);
  expect(stretches).toEqual([
    [undefined, 5],
    [10, 20],
  ]);
});
