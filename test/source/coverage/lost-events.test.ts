import { describe, expect, it } from 'vitest';
import type { MissingPart } from '../../../src/contract/hooks.ts';
import { gonePartOf, isGone } from '../../../src/coverage/partial-mark.ts';
import { withEndpoint } from '../../../src/source/read-coverage.ts';
import { goneTimes } from '../../../src/source/watched-times.ts';
import { SERVICE, testMirror } from '../../mirror/support.ts';
import { NOW, SECOND } from './moment.ts';

/** The first second that the service keeps: seven days before the question. */
const OLDEST = SECOND - 604_800;
const feed: MissingPart['series'] = { endpoint: 'announcements_changes', scope: {} };
const missingRange = (from: number, to: number) => withEndpoint({ series: feed, range: { from, to } });

describe('a hole of events', () => {
  it('is lost once its end is older than what the service keeps', () => {
    expect(isGone(missingRange(OLDEST - 9, OLDEST - 1), { now: NOW })).toBe(true);
    expect(isGone(missingRange(OLDEST - 9, OLDEST), { now: NOW })).toBe(false);
    // Until the next second.
    expect(isGone(missingRange(OLDEST - 9, OLDEST), { now: NOW + 999 })).toBe(false);
    expect(isGone(missingRange(OLDEST - 9, OLDEST), { now: NOW + 1000 })).toBe(true);
  });

  it('is lost where the service had lost its end when it was asked', () => {
    const end = SECOND - 500;
    const isLostIn = (from: number | undefined, to: number | undefined) =>
      isGone(missingRange(end - 10, end), {
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
    expect(isGone(missingRange(end - 10, end), { now: NOW, lost: [] })).toBe(false);
  });

  it('is none of another series, of a time that nobody looked at, or without a range', () => {
    const range = { from: 1, to: 2 };
    expect(
      isGone(withEndpoint({ series: { endpoint: 'calendar', scope: { currency: 'USD' } }, range }), { now: NOW }),
    ).toBe(false);
    expect(isGone(withEndpoint({ series: { endpoint: 'of_another_version', scope: {} }, range }), { now: NOW })).toBe(
      false,
    );
    expect(isGone(withEndpoint({ series: { endpoint: 'ping', scope: {} }, range }), { now: NOW })).toBe(false);
    expect(isGone(withEndpoint({ series: feed, range, reason: 'unchecked' }), { now: NOW })).toBe(false);
    expect(isGone(withEndpoint({ series: feed }), { now: NOW })).toBe(false);
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
    expect(gonePartOf([], { now: NOW })).toEqual({});
    expect(gonePartOf([missingRange(OLDEST, OLDEST + 9)], { now: NOW })).toEqual({});
    expect(
      gonePartOf([withEndpoint({ series: { endpoint: 'forex', scope: {} }, range: { from: 1, to: 2 } })], { now: NOW }),
    ).toEqual({});
  });

  it('ends behind the last hole that is lost, or where the service begins', () => {
    expect(gonePartOf([missingRange(OLDEST - 90, OLDEST - 61)], { now: NOW })).toEqual(
      lostUntil('2026-11-14T05:45:13Z'),
    );
    // A missing range that began before what is kept is lost up to there.
    expect(gonePartOf([missingRange(OLDEST - 1, SECOND)], { now: NOW })).toEqual(lostUntil('2026-11-14T05:46:13Z'));
    const both = [
      missingRange(OLDEST - 90, OLDEST - 61),
      missingRange(OLDEST - 1, SECOND),
      missingRange(OLDEST + 5, SECOND),
    ];
    expect(gonePartOf(both, { now: NOW })).toEqual(lostUntil('2026-11-14T05:46:13Z'));
  });

  it('ends behind what the journal knows as lost', () => {
    const lost = [{ from: SECOND - 100, to: SECOND - 73 }];
    expect(gonePartOf([missingRange(SECOND - 90, SECOND - 74)], { now: NOW, lost })).toEqual(
      lostUntil('2026-11-21T05:45:00Z'),
    );
  });
});

it('what the journal knows as lost are its open holes that have an end', async () => {
  const { journal } = (await testMirror()).mirror;
  const noted = { origin: SERVICE, reason: 'lost', via: 'changes', notedAt: NOW } as const;
  await journal.noteGap({ ...noted, from: 10, to: 20 });
  await journal.noteGap({ ...noted, from: 100, to: undefined });
  await journal.closeGap(await journal.noteGap({ ...noted, from: 30, to: 40 }), NOW);
  await journal.noteGap({ ...noted, from: undefined, to: 5 });
  const stretches = (await goneTimes(journal)).map(({ from, to }) => [from, to]);
  expect(stretches).toEqual([
    [undefined, 5],
    [10, 20],
  ]);
});
