import { describe, expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { type ChangesPage, createCatchUp, type Lost } from '../../src/events/catch-up.ts';
import { eventRecorder } from '../../src/events/record.ts';
import type { JournalGap } from '../../src/mirror/api/journal.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { closeWatched, eventsCompleteUntil } from '../../src/source/watched-times.ts';
import { page, row, SERVICE, testMirror } from '../mirror/support.ts';
import { testClock } from '../support/clock.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const T0 = 1_791_981_000;
const event = (n: number) => `{"event_id":"usd_gdp_${n}","currency":"usd","indicator":"gdp","timestamp":${n}}`;
const down = new MacroError('upstream', 'The service is not available.');

/** A follower whose service answers as told, one answer a question. */
async function scene(
  answers: readonly (readonly Partial<ChangesPage>[] | Error)[],
  held: readonly number[] = [],
  missingRange?: Omit<JournalGap, 'id' | 'closedAt'>,
) {
  const { mirror } = await testMirror();
  if (held.length > 0) await watch(mirror, held);
  if (missingRange) await mirror.journal.noteGap(missingRange);
  return follower(mirror, answers);
}

/** Events that came by changes, with the time that they complete. */
async function watch(mirror: Mirror, [first = 0, ...more]: readonly number[]) {
  const covered = { from: first, to: more.at(-1) ?? first, rows: more.length + 1 };
  await mirror.commitPage(page([first, ...more].map(event), { series: FEED, arrived: { via: 'changes' }, covered }));
}

async function follower(mirror: Mirror, answers: readonly (readonly Partial<ChangesPage>[] | Error)[]) {
  const clock = testClock(T0 * 1000);
  const asked: (number | undefined)[] = [];
  const left = [...answers];
  const lost: Lost[] = [];
  async function* changesSince(since: number | undefined) {
    asked.push(since);
    const answer = left.shift() ?? [];
    if (answer instanceof Error) throw answer;
    for (const one of answer) yield { rows: [], synthetic: false, missedBefore: undefined, ...one };
  }
  const parts = { mirror, clock, service: SERVICE, access: 'key:1', via: 'changes', named: () => [] } as const;
  const catchUp = await createCatchUp({
    journal: mirror.journal,
    clock,
    origin: SERVICE,
    completeUntil: await eventsCompleteUntil(mirror, SERVICE),
    slack: 60,
    changesSince,
    record: eventRecorder(parts),
    wholeUntil: (now) => Math.floor(now / 1000),
    async onWatched(from, to) {
      await mirror.commitPage(page([], { series: FEED, arrived: { via: 'changes' }, covered: { from, to, rows: 0 } }));
      await closeWatched(mirror, SERVICE, clock.now());
    },
    onGap: async (gap) => void lost.push(gap),
    onFailure: async () => undefined,
  });
  const ids = async () => (await mirror.journal.events({ after: 0, limit: 99 })).map(({ timestamp }) => timestamp);
  return { catchUp, asked, lost, mirror, clock, ids };
}

const rows = (...times: readonly number[]) => ({ rows: times.map((n) => row(event(n))) });
const gapsOf = async ({ mirror }: Awaited<ReturnType<typeof scene>>) =>
  (await mirror.journal.gaps(9)).map(({ from, to, closedAt }) => [
    from,
    to,
    closedAt === undefined ? 'open' : 'closed',
  ]);

describe('catching up', () => {
  it.each([
    [T0 - 100, [[T0 - 100, T0 - 100, 'open']]],
    [T0 - 99, [[T0 - 100, T0 - 100, 'open']]],
    [T0 - 98, [[T0 - 99, T0 - 99, 'open']]],
    [T0 - 101, []],
  ])('a hole within one second is a gap as well: nothing is kept before %i', async (missedBefore, gaps) => {
    const at = await scene([[{ missedBefore }]], [T0 - 100]);
    await at.catchUp.run('the stream has a gap');
    expect(await gapsOf(at)).toEqual(gaps);
    expect(at.lost.map(({ from, to }) => [from, to])).toEqual(gaps.map(([from, to]) => [from, to]));
  });

  it('asks from as far back as the service tells when nothing is known, then from a minute before the last event', async () => {
    const at = await scene([[rows(T0 + 1), rows(T0 + 5)], [], []]);
    await at.catchUp.run('start');
    await at.catchUp.seen(T0 + 90);
    await at.catchUp.run('lost');
    expect([at.asked, await at.ids(), at.lost]).toEqual([[undefined, T0 + 30], [T0 + 1, T0 + 5], []]);
  });

  it('begins behind the time that an earlier run completed, however its events came', async () => {
    const at = await scene([[]], [T0 - 7200, T0 - 3600]);
    await at.catchUp.run('start');
    expect(at.asked).toEqual([T0 - 3660]);
  });

  it('tells a lost time once over any number of starts, also if no event ever came by stream', async () => {
    const lost = { missedBefore: T0 - 20 };
    const first = await scene([[lost]], [T0 - 900_000]);
    await first.catchUp.run('start');
    const second = await follower(first.mirror, [[lost]]);
    await second.catchUp.run('start');
    expect([first.lost.map(({ from, to }) => [from, to]), second.lost]).toEqual([[[T0 - 899_999, T0 - 21]], []]);
    expect([second.asked, await gapsOf(second)]).toEqual([[T0 - 86_460], [[T0 - 899_999, T0 - 21, 'open']]]);
  });

  it('a first stream that cannot ask at once misses what comes from its own start on', async () => {
    const at = await scene([down]);
    await at.catchUp.run('start');
    expect(await gapsOf(at)).toEqual([[T0 + 1, undefined, 'open']]);
    const later = await follower(at.mirror, [[{ missedBefore: T0 + 9 }]]);
    await later.catchUp.run('start');
    expect([later.asked, await gapsOf(later)]).toEqual([[T0 - 60], [[T0 + 1, T0 + 8, 'open']]]);
  });

  it('while changes cannot be asked knows no more than before, asks again after a minute, and closes the hole then', async () => {
    const at = await scene([down, down, [rows(T0 - 50)]], [T0 - 100]);
    await at.catchUp.run('lost');
    await at.catchUp.seen(T0 + 500);
    await at.catchUp.again();
    expect(at.asked).toEqual([T0 - 160]);
    at.clock.jump(60_000);
    await at.catchUp.again();
    expect(await gapsOf(at)).toEqual([[T0 - 99, undefined, 'open']]);
    at.clock.jump(60_000);
    await at.catchUp.again();
    expect([at.asked, await at.ids()]).toEqual([
      [T0 - 160, T0 - 160, T0 - 160],
      [T0 - 100, T0 - 50],
    ]);
    expect(await gapsOf(at)).toEqual([[T0 - 99, undefined, 'closed']]);
  });

  it('waits as long as a spent quota asks for', async () => {
    const at = await scene([new MacroError('quota', 'It is used up.', { retryAfter: 3600 }), []], [T0 - 100]);
    await at.catchUp.run('lost');
    at.clock.jump(3_599_000);
    await at.catchUp.again();
    at.clock.jump(1_000);
    await at.catchUp.again();
    expect(at.asked).toHaveLength(2);
  });

  it('takes up the hole that an earlier run left open', async () => {
    const gap = {
      origin: SERVICE,
      from: T0 - 5000,
      to: undefined,
      reason: 'lost',
      via: 'stream',
      notedAt: T0,
    } as const;
    const at = await scene([[]], [T0 - 100], gap);
    await at.catchUp.run('start');
    expect([at.asked, await gapsOf(at)]).toEqual([[T0 - 5061], [[T0 - 5000, undefined, 'closed']]]);
  });

  it('notes once what can never be had, whoever noted it before, and goes on behind it', async () => {
    const lost = { ...rows(T0 - 10), missedBefore: T0 - 20 };
    const gap = {
      origin: SERVICE,
      from: T0 - 800_000,
      to: T0 - 21,
      reason: 'gone',
      via: 'changes',
      notedAt: T0,
    } as const;
    const at = await scene([[lost], []], [T0 - 900_000], gap);
    await at.catchUp.run('lost');
    await at.catchUp.run('lost');
    expect(at.asked).toEqual([T0 - 900_060, T0 - 70]);
    expect(at.lost.map(({ from, to }) => [from, to])).toEqual([[T0 - 899_999, T0 - 21]]);
    expect(await gapsOf(at)).toEqual([[T0 - 899_999, T0 - 21, 'open']]);
  });

  it('notes once a gap that it could not fill at first and that is lost, in part, when it can ask', async () => {
    const lost = { ...rows(T0 - 10), missedBefore: T0 - 20 };
    const at = await scene([down, [lost]], [T0 - 900_000]);
    await at.catchUp.run('lost');
    expect(await gapsOf(at)).toEqual([[T0 - 899_999, undefined, 'open']]);
    at.clock.jump(60_000);
    await at.catchUp.again();
    expect(await gapsOf(at)).toEqual([[T0 - 899_999, T0 - 21, 'open']]);
  });

  it('ends with what no later try can mend', async () => {
    const at = await scene([new MacroError('auth', 'The key is refused.')]);
    await expect(at.catchUp.run('lost')).rejects.toMatchObject({ kind: 'auth' });
  });
});
