import { describe, expect, it } from 'vitest';
import type { MissingPart } from '../../../src/contract/hooks.ts';
import { firstUncovered } from '../../../src/coverage/partial-mark.ts';
import type { Journal, JournalGap } from '../../../src/mirror/api/journal.ts';
import type { StoredCoverage, StoredSeries } from '../../../src/mirror/api/series.ts';
import { withEndpoint } from '../../../src/source/read-coverage.ts';
import { closeWatched, noteUncovered, uncoveredBetween } from '../../../src/source/watched-times.ts';
import { testMirror } from '../../mirror/support.ts';
import { NOW, SECOND } from './moment.ts';
import { covered, series } from './stored.ts';

const FEED = series('announcements_changes');
const OTHER = series('announcements_changes', {}, { id: 2, origin: 'https://other.example' });
const [UNWATCHED, LOST] = ['nobody watched for events', 'the service no longer keeps these events'];
const DAY = 86_400;

/** The journal of a fresh mirror, and feeds that were watched in these intervals. */
async function watched(coveredRanges: readonly StoredCoverage[], feeds: readonly StoredSeries[] = [FEED]) {
  const { journal } = (await testMirror()).mirror;
  const reader = {
    journal,
    find: async ({ endpoint }: { endpoint: string }) => feeds.filter((one) => one.endpoint === endpoint),
    coveredRanges: async (of: StoredSeries, access: string) =>
      of.id === FEED.id && access === 'keyless' ? coveredRanges : [],
  };
  return { reader, journal, gaps: async () => (await journal.gaps(9)).toReversed().map(seen) };
}

const seen = ({ id: _, ...gap }: JournalGap) => gap;

const note = (journal: Journal, more: Partial<JournalGap> = {}) =>
  journal.noteGap({
    ...{ origin: FEED.origin, from: 100, to: undefined, reason: UNWATCHED, via: 'changes', notedAt: NOW },
    ...more,
  });

describe('the first moment that an answer lacks', () => {
  const missingPart = (endpoint: string, from: number, more: Partial<MissingPart> = {}) =>
    withEndpoint({ series: { endpoint, scope: {} }, range: { from, to: from + 9 }, ...more });

  it('is that of the earliest hole of a feed', () => {
    const missingParts = [
      missingPart('announcements_changes', 500),
      missingPart('announcements_changes', 400),
      missingPart('calendar', 1),
    ];
    expect(firstUncovered(missingParts)).toBe(400);
  });

  it('is none without a hole of a feed', () => {
    expect(firstUncovered([])).toBeUndefined();
    expect(
      firstUncovered([missingPart('calendar', 1), missingPart('ping', 1), missingPart('of_another_version', 1)]),
    ).toBeUndefined();
    expect(
      firstUncovered([withEndpoint({ series: { endpoint: 'announcements_changes', scope: {} } })]),
    ).toBeUndefined();
    expect(firstUncovered([missingPart('announcements_changes', 1, { reason: 'unchecked' })])).toBeUndefined();
  });
});

describe('a time that nobody watched', () => {
  const noted = (more: object = {}) => ({
    ...{ origin: FEED.origin, from: 100, to: undefined, reason: UNWATCHED, via: 'changes', notedAt: NOW },
    closedAt: undefined,
    ...more,
  });

  it('is noted in the journal, without an end', async () => {
    const { reader, gaps } = await watched([]);
    await noteUncovered(reader, 100, NOW);
    expect(await gaps()).toEqual([noted()]);
  });

  it('is noted once, however often it is asked about, and wider where it begins earlier', async () => {
    const { reader, gaps } = await watched([]);
    for (const from of [100, 100, 150]) await noteUncovered(reader, from, NOW + from);
    expect(await gaps()).toEqual([noted({ notedAt: NOW + 100 })]);
    await noteUncovered(reader, 99, NOW);
    expect((await gaps()).map(({ from }) => from)).toEqual([99]);
  });

  it('is noted again beside what is closed, has an end, or is of another origin', async () => {
    const { reader, journal, gaps } = await watched([]);
    await journal.closeGap(await note(journal), NOW);
    await note(journal, { from: 10, to: 20 });
    await note(journal, { origin: OTHER.origin });
    await noteUncovered(reader, 100, NOW);
    expect((await gaps()).map(({ from, to, closedAt }) => [from, to, closedAt])).toEqual([
      [100, undefined, NOW],
      [10, 20, undefined],
      [100, undefined, undefined],
      [100, undefined, undefined],
    ]);
  });

  it('is not noted where a hole without a begin is open, nor of a feed that is not held', async () => {
    const { reader, journal, gaps } = await watched([]);
    await note(journal, { from: undefined });
    await noteUncovered(reader, 100, NOW);
    expect(await gaps()).toHaveLength(1);
    const without = await watched([], []);
    await noteUncovered(without.reader, 100, NOW);
    expect(await without.gaps()).toEqual([]);
  });
});

describe('a hole that was noted', () => {
  const closed = (gaps: readonly Omit<JournalGap, 'id'>[]) =>
    gaps.map(({ from, to, reason, closedAt }) => [from, to, reason, closedAt]);

  it('is closed once it was watched', async () => {
    for (const reason of [UNWATCHED, 'the stream was not connected']) {
      const { reader, journal, gaps } = await watched([covered(100, SECOND)]);
      await note(journal, { reason });
      await closeWatched(reader, FEED.origin, NOW + 5);
      expect(closed(await gaps())).toEqual([[100, undefined, reason, NOW + 5]]);
    }
    // What came behind the last look is a matter of age.
    const before = await watched([covered(100, SECOND - 60)], [OTHER, FEED]);
    await note(before.journal);
    await closeWatched(before.reader, FEED.origin, NOW);
    expect(closed(await before.gaps())).toEqual([[100, undefined, UNWATCHED, NOW]]);
  });

  it('stays open while the service may still tell of a part of it', async () => {
    const oldest = SECOND - 7 * DAY;
    for (const from of [oldest + 1, oldest - 99]) {
      const { reader, journal, gaps } = await watched([covered(oldest + 1, SECOND)]);
      await note(journal, { from });
      await closeWatched(reader, FEED.origin, NOW);
      const isWatched = from > oldest;
      expect((await gaps())[0]?.closedAt).toBe(isWatched ? NOW : undefined);
    }
  });

  it('is lost where it was not watched and the service keeps it no more', async () => {
    const oldest = SECOND - 7 * DAY;
    const { reader, journal, gaps } = await watched([covered(200, 300), covered(oldest, SECOND)]);
    await note(journal);
    await closeWatched(reader, FEED.origin, NOW);
    expect(closed(await gaps())).toEqual([
      [100, 199, LOST, undefined],
      [301, oldest - 1, LOST, undefined],
    ]);
    expect((await gaps()).at(-1)).toMatchObject({ origin: FEED.origin, via: 'changes', notedAt: NOW });
  });

  it('that has no begin began with the first second', async () => {
    const { reader, journal, gaps } = await watched([covered(0, SECOND)]);
    await note(journal, { from: undefined });
    await closeWatched(reader, FEED.origin, NOW);
    expect((await gaps())[0]?.closedAt).toBe(NOW);
    const later = await watched([covered(1, SECOND)]);
    await note(later.journal, { from: undefined });
    await closeWatched(later.reader, FEED.origin, NOW);
    expect(closed(await later.gaps())).toEqual([[0, 0, LOST, undefined]]);
  });

  it('that the service lost without an end, of another origin, or of a feed that is not held stays', async () => {
    const { reader, journal, gaps } = await watched([covered(0, SECOND)], [OTHER, FEED]);
    await note(journal, { reason: LOST });
    await note(journal, { origin: OTHER.origin });
    await closeWatched(reader, FEED.origin, NOW);
    expect((await gaps()).map(({ closedAt }) => closedAt)).toEqual([undefined, undefined]);
    const without = await watched([covered(0, SECOND)], []);
    await note(without.journal);
    await closeWatched(without.reader, FEED.origin, NOW);
    expect((await without.gaps()).map(({ closedAt }) => closedAt)).toEqual([undefined]);
  });
});

describe('what lies unwatched between two times that were watched', () => {
  const missingRange = (from: number, to: number) => ({ origin: FEED.origin, from, to, reason: UNWATCHED });

  it('is told newest first, with neither the time before the first nor behind the last', async () => {
    const { reader } = await watched([covered(100, 199), covered(300, 399), covered(400, 499), covered(700, 800)]);
    expect(await uncoveredBetween(reader)).toEqual([missingRange(500, 699), missingRange(200, 299)]);
    expect(await uncoveredBetween((await watched([covered(1, 9)])).reader)).toEqual([]);
    expect(await uncoveredBetween((await watched([])).reader)).toEqual([]);
  });

  it('is told of each feed', async () => {
    const both = await watched([covered(1, 2), covered(5, 6)], [OTHER, FEED]);
    expect(await uncoveredBetween(both.reader)).toEqual([missingRange(3, 4)]);
  });

  it.each<[string, Partial<JournalGap>, boolean]>([
    ['just it', { from: 200, to: 299 }, true],
    ['more than it', { from: undefined, to: 300 }, true],
    ['all from its begin on', { from: 200, to: undefined }, true],
    ['not its begin', { from: 201, to: 299 }, false],
    ['not its end', { from: 200, to: 298 }, false],
    ['another origin', { from: 200, to: 299, origin: OTHER.origin }, false],
  ])('is left out where the journal has noted %s', async (_, gap, isLeftOut) => {
    const { reader, journal } = await watched([covered(100, 199), covered(300, 399)]);
    await note(journal, gap);
    expect(await uncoveredBetween(reader)).toEqual(isLeftOut ? [] : [missingRange(200, 299)]);
  });

  it('is told where the note was closed', async () => {
    const { reader, journal } = await watched([covered(100, 199), covered(300, 399)]);
    await journal.closeGap(await note(journal, { from: 200, to: 299 }), NOW);
    expect(await uncoveredBetween(reader)).toEqual([missingRange(200, 299)]);
  });
});
