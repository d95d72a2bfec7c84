import { describe, expect, it } from 'vitest';
import { createFeed, type Subscriber } from '../../../src/serve/stream/feed.ts';
import { testClock } from '../../support/clock.ts';

const START = 1_791_981_003_000;

/** A subscriber that only notes what it is told, and when, in seconds from the start. */
function listener(clock: { now(): number }, name = 'keyless') {
  const heard: [number, string][] = [];
  let isOpen = true;
  let ended: () => void = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const note = (text: string) => heard.push([(clock.now() - START) / 1000, text]);
  const subscriber: Subscriber = {
    filter: { currencies: undefined, indicators: undefined, payload: 'compact', maxAge: undefined },
    context: { caller: { kind: 'keyless' }, name, class: name },
    place: { cursor: 'c1', position: 0, from: 0 },
    get isOpen() {
      return isOpen;
    },
    tell: (events) => void note(events.map(({ id }) => id).join(' ')),
    async replay(pieces) {
      for await (const piece of pieces) note(piece.map(({ id }) => id).join(' '));
    },
    isReplaying: false,
    say: (frame) => void note(frame.trim()),
    end(frame) {
      isOpen = false;
      note(frame.trim());
      ended();
    },
  };
  return { subscriber, heard, end };
}

describe('the feed of streams', () => {
  it('ends the streams of a key that is gone, and no others', async () => {
    const clock = testClock(START);
    const [gone, stays] = [listener(clock, 'digest of a key'), listener(clock, 'another')];
    const body = '{"data":[],"next_cursor":"c1"}';
    const ask = async () => ({
      status: 200,
      body,
      etag: undefined,
      from: 'mirror',
      asOf: 0,
      synthetic: false,
      notes: [],
    });
    const feed = createFeed({
      ...{ ask: ask as never, journal: undefined, clock, now: clock.now, look: async () => 1, failed: () => {} },
      revocations: () => (clock.now() < START + 2_000 ? undefined : ({ name }) => name === 'another'),
    });
    for (const { subscriber } of [gone, stays]) feed.join(subscriber);
    await gone.end;
    expect([gone.subscriber.isOpen, gone.heard.at(-1)?.[0], stays.subscriber.isOpen]).toEqual([false, 2, true]);
    feed.close();
  });

  it('beats every 15 seconds and ends a stream after an hour', async () => {
    const clock = testClock(START);
    const { subscriber, heard, end } = listener(clock);
    const body = '{"data":[],"next_cursor":"c1"}';
    const ask = async () =>
      ({ status: 200, body, etag: undefined, from: 'mirror', asOf: 0, synthetic: false, notes: [] }) as never;
    const feed = createFeed({ ask, journal: undefined, clock, now: clock.now, look: async () => 1, failed: () => {} });
    feed.join(subscriber);
    await end;
    const beats = heard.filter(([, text]) => text === ': heartbeat');
    expect(beats.slice(0, 3).map(([at]) => at)).toEqual([15, 30, 45]);
    expect(beats.length).toBe(239);
    expect(heard.at(-1)).toEqual([3600, ': reconnect']);
    feed.close();
  });

  it('reads once for all who stand at the same place and want the same', async () => {
    const clock = testClock(START);
    const asked: string[] = [];
    let version = 1;
    const listeners = [listener(clock), listener(clock), listener(clock, 'individual')];
    const ask = async ({ args }: { args: Record<string, unknown> }, { caller }: { caller: { kind: string } }) => {
      asked.push(`${caller.kind} ${args.since}`);
      const row = '{"event_id":"usd_gdp_1","timestamp":1}';
      const body = `{"data":[${args.since === 'c1' ? row : ''}],"next_cursor":"c2"}`;
      return { status: 200, body, etag: undefined, from: 'mirror', asOf: 0, synthetic: false, notes: [] };
    };
    const feed = createFeed({
      ask: ask as never,
      journal: undefined,
      clock,
      now: () => START,
      look: async () => {
        version = clock.now() > START ? 2 : 1;
        return version;
      },
      failed: (error) => {
        throw error;
      },
    });
    for (const { subscriber } of listeners) feed.join(subscriber);
    await listeners[0]?.end;
    expect(asked).toEqual(['keyless c1', 'keyless c1']);
    for (const { subscriber, heard } of listeners) {
      expect(subscriber.place.cursor).toBe('c2');
      expect(heard.map(([, text]) => text).filter((text) => text === 'usd_gdp_1')).toEqual(['usd_gdp_1']);
    }
  });

  it('tells a failure once, keeps the streams, and reads on when it has passed', async () => {
    const clock = testClock(START);
    const { subscriber, heard, end } = listener(clock);
    const told: unknown[] = [];
    const row = '{"event_id":"usd_gdp_1","timestamp":1}';
    const ask = async ({ args }: { args: Record<string, unknown> }) => {
      if (clock.now() < START + 2000) throw new Error('locked');
      const body = `{"data":[${args.since === 'c1' ? row : ''}],"next_cursor":"c2"}`;
      return { status: 200, body, etag: undefined, from: 'mirror', asOf: 0, synthetic: false, notes: [] };
    };
    const failed = (error: unknown) => void told.push(String(error));
    const feed = createFeed({
      ask: ask as never,
      journal: undefined,
      clock,
      now: () => START,
      look: async () => 1,
      failed,
    });
    feed.join(subscriber);
    await end;
    expect(told).toEqual(['Error: locked']);
    expect(heard[0]).toEqual([2, 'usd_gdp_1']);
  });
});
