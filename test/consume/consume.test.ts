import { describe, expect, it, onTestFinished } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { type Consuming, consume } from '../../src/events/consume.ts';
import type { Failure, Journal, JournalEvent } from '../../src/mirror/api/journal.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { edit, page, SERVICE, testMirror } from '../mirror/support.ts';
import { settle, testClock } from '../support/clock.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const START = 1_791_981_003_000;
const event = (name: string, n: number) =>
  `{"event_id":"usd_${name}_${n}","currency":"usd","indicator":"${name}","timestamp":${n}}`;

async function scene() {
  const { mirror, path } = await testMirror();
  const clock = testClock(START, 'waits');
  const add = (...names: readonly string[]) =>
    mirror.commitPage(
      page(
        names.map((name, i) => event(name, i + 1)),
        { series: FEED, arrived: { via: 'stream' } },
      ),
    );
  return { mirror, path, clock, add };
}

interface Told {
  readonly handled: string[];
  readonly yielded: string[];
  readonly failures: Failure[];
  readonly stop: AbortController;
  readonly ended: Promise<unknown>;
}

function start(
  { mirror, clock }: { mirror: Mirror; clock: ReturnType<typeof testClock> },
  handle: (event: JournalEvent) => Promise<string | undefined>,
  asked: Partial<Pick<Consuming, 'from' | 'maxAge'>> = {},
): Told {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const told = { handled: [] as string[], yielded: [] as string[], failures: [] as Failure[], stop };
  const events = consume(
    {
      mirror,
      clock,
      handle(one) {
        told.handled.push(one.indicator);
        return handle(one);
      },
      onFailure: async (failure) => void told.failures.push(failure),
    },
    { name: 'desk', from: 0, ...asked, signal: stop.signal },
  );
  const all = async () => {
    for await (const one of events) told.yielded.push(one.indicator);
  };
  return { ...told, ended: all().catch((error: unknown) => error) };
}

async function until(holds: () => boolean, clock: ReturnType<typeof testClock>): Promise<void> {
  for (let looks = 0; !holds() && looks < 2000; looks += 1) {
    await settle();
    await clock.advance(100);
  }
  expect(holds()).toBe(true);
}

const cursor = async ({ journal }: Mirror) => (await journal.consumer('desk'))?.position;

/** A journal of which an operation finds the mirror locked, so many times. */
function lockedAt(
  journal: Journal,
  operation: 'moveConsumer' | 'noteFailure' | 'forgetFailure',
  times: number,
): Journal {
  let left = times;
  const whenFree = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      left -= 1;
      if (left >= 0) throw new MacroError('mirror', 'It is locked.', { code: 'mirror_locked' });
      return work(...args);
    };
  };
  return {
    ...journal,
    ...(operation === 'moveConsumer' && { moveConsumer: whenFree(journal.moveConsumer) }),
    ...(operation === 'noteFailure' && { noteFailure: whenFree(journal.noteFailure) }),
    ...(operation === 'forgetFailure' && { forgetFailure: whenFree(journal.forgetFailure) }),
  };
}

describe('a consumer', () => {
  it('gets events in order, each once, and those that come later', async () => {
    const at = await scene();
    await at.add('a', 'b');
    const told = start(at, async () => undefined);
    await until(() => told.yielded.length === 2, at.clock);
    await at.add('a', 'b', 'c');
    await until(() => told.yielded.length === 3, at.clock);
    expect(told.handled).toEqual(['a', 'b', 'c']);
  });

  it('that is new begins where it is told, and from then on has a cursor of its own', async () => {
    const at = await scene();
    await at.add('a', 'b');
    const told = start(at, async () => undefined, { from: await at.mirror.journal.newest() });
    await until(() => at.clock.sleepers > 0, at.clock);
    expect([told.handled, await cursor(at.mirror)]).toEqual([[], 2]);
  });

  it('goes on where it stopped, not where a new one would begin', async () => {
    const at = await scene();
    await at.add('a', 'b', 'c');
    await at.mirror.journal.moveConsumer('desk', 1, START);
    const told = start(at, async () => undefined, { from: 3 });
    await until(() => told.yielded.length === 2, at.clock);
    expect(told.handled).toEqual(['b', 'c']);
  });

  it('stands still until an event is dealt with, and tries it again after 1, 5, 30, 120 and 600 seconds', async () => {
    const at = await scene();
    await at.add('a', 'b');
    const told = start(at, async ({ indicator }) => (indicator === 'a' ? 'exit 1' : undefined));
    const tries = () => told.handled.length;
    for (const [done, seconds] of [1, 5, 30, 120, 600].entries()) {
      await until(() => tries() === done + 1, at.clock);
      await settle();
      expect(await cursor(at.mirror)).toBe(0);
      await at.clock.advance(seconds * 1000 - 50_000);
      expect(tries()).toBe(done + 1);
    }
    await until(() => told.yielded.length === 1, at.clock);
    expect(told.handled).toEqual(['a', 'a', 'a', 'a', 'a', 'a', 'b']);
    const waits = told.failures.map(({ failedAt, nextAt }) => nextAt && (nextAt - failedAt) / 1000);
    expect(waits).toEqual([1, 5, 30, 120, 600, undefined]);
  });

  it('sets an event aside after the last try, and goes on', async () => {
    const at = await scene();
    await at.add('a', 'b');
    const told = start(at, async ({ indicator }) => (indicator === 'a' ? 'exit 1' : undefined));
    await until(() => told.yielded.length === 1, { ...at.clock, advance: () => at.clock.advance(60_000) });
    await until(() => at.clock.sleepers > 0, at.clock);
    expect(await cursor(at.mirror)).toBe(2);
    expect(await at.mirror.journal.failures('desk')).toMatchObject([
      { position: 1, attempts: 6, error: 'exit 1', nextAt: undefined },
    ]);
  });

  it('forgets failures of an event that went well in the end', async () => {
    const at = await scene();
    await at.add('a');
    let tries = 0;
    const told = start(at, async () => {
      tries += 1;
      return tries < 3 ? 'exit 1' : undefined;
    });
    await until(() => told.yielded.length === 1, at.clock);
    expect([told.handled.length, await at.mirror.journal.failures()]).toEqual([3, []]);
  });

  it('counts the tries of an earlier run, and waits as long as was left', async () => {
    const at = await scene();
    await at.add('a');
    const failure = { consumer: 'desk', position: 1, error: 'exit 1', failedAt: START, nextAt: START + 5_000 };
    await at.mirror.journal.noteFailure(failure);
    await at.mirror.journal.noteFailure(failure);
    const told = start(at, async () => 'exit 2');
    await at.clock.advance(4_999);
    expect(told.handled).toEqual([]);
    await until(() => told.failures.length === 1, at.clock);
    expect(told.failures).toMatchObject([{ attempts: 3, error: 'exit 2' }]);
  });

  it('sets aside what became too old while no program ran, without another try', async () => {
    const at = await scene();
    await at.add('a');
    const failure = { consumer: 'desk', position: 1, error: 'exit 1', failedAt: START, nextAt: START + 5_000 };
    await at.mirror.journal.noteFailure(failure);
    const told = start(at, async () => undefined, { maxAge: START - 1_000 + 4_999 });
    await until(() => told.failures.length === 1, at.clock);
    await until(() => at.clock.sleepers > 0, at.clock);
    expect([told.handled, await cursor(at.mirror)]).toEqual([[], 1]);
    expect(told.failures).toMatchObject([{ error: 'exit 1; too old for another try', nextAt: undefined }]);
  });

  it('that is ended deals with the event that it has begun, and keeps its cursor', async () => {
    const at = await scene();
    await at.add('a', 'b');
    const work = Promise.withResolvers<undefined>();
    const told = start(at, () => work.promise);
    await until(() => told.handled.length === 1, at.clock);
    told.stop.abort(new Error('enough'));
    await settle();
    work.resolve(undefined);
    expect(await told.ended).toEqual(new Error('enough'));
    expect([told.handled, await cursor(at.mirror)]).toEqual([['a'], 1]);
  });

  it('gets what comes after a failover or a restore took back the end of the journal', async () => {
    const at = await scene();
    await at.add('inflation', 'gdp', 'retail_sales');
    const told = start(at, async () => undefined);
    await until(() => told.yielded.length === 3, at.clock);
    const back = ['delete from arrivals where position > 1', 'delete from journal where position > 1'];
    for (const one of [...back, 'update consumers set position = 1', 'update sqlite_sequence set seq = 1'])
      edit(at.path, one);
    await at.add('pmi', 'policy_rate', 'wages');
    await until(() => told.yielded.length === 6, at.clock);
    expect(told.yielded.slice(3)).toEqual(['pmi', 'policy_rate', 'wages']);
    expect(await cursor(at.mirror)).toBe(4);
  });

  it.each(['moveConsumer', 'noteFailure', 'forgetFailure'] as const)(
    'notes what came of an event as soon as a mirror that is locked at %s can be written, and deals with nothing twice',
    async (operation) => {
      const at = await scene();
      await at.add('a');
      await at.mirror.journal.moveConsumer('desk', 0, START);
      const journal = lockedAt(at.mirror.journal, operation, 3);
      let tries = 0;
      const told = start({ ...at, mirror: { ...at.mirror, journal } }, async () => {
        tries += 1;
        return tries === 1 ? 'exit 1' : undefined;
      });
      await until(() => told.yielded.length === 1, at.clock);
      expect([told.handled, await cursor(at.mirror)]).toEqual([['a', 'a'], 1]);
      expect(await at.mirror.journal.failures()).toEqual([]);
    },
  );

  it('whose handler cannot work at all ends, and the event stays', async () => {
    const at = await scene();
    await at.add('a');
    const told = start(at, async () => {
      throw new Error('no such program');
    });
    expect(await told.ended).toEqual(new Error('no such program'));
    expect(await cursor(at.mirror)).toBe(0);
  });
});
