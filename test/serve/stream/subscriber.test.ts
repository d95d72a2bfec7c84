import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { eventFrame, type StreamEvent } from '../../../src/serve/stream/events.ts';
import { createSubscriber } from '../../../src/serve/stream/feed.ts';
import { settle } from '../../support/clock.ts';

const eventAt = (i: number): StreamEvent => ({ id: `usd_gdp_${i}`, timestamp: i, text: asJsonText(`{"n":${i}}`) });
const events = (from: number, count: number) => Array.from({ length: count }, (_, i) => eventAt(from + i));
const frames = (from: number, count: number) => events(from, count).map(eventFrame).join('');

/** A subscriber whose socket takes what it is given, and says each time whether it takes more. */
function subscriber(takesMore: () => boolean) {
  const written: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    write: (text: string) => {
      written.push(text);
      return takesMore();
    },
    end: (text: string) => written.push(`${text}[end]`),
  });
  const told = {
    filter: { currencies: undefined, indicators: undefined, payload: 'compact', maxAge: undefined },
    context: { caller: { kind: 'keyless' }, name: 'keyless', class: 'keyless' },
    place: { cursor: 'c1', position: 0, from: 0 },
  } as const;
  // It takes no more of an answer than these members and events.
  const reader = createSubscriber(response as unknown as ServerResponse, told);
  return { written, response, reader };
}

describe('a subscriber', () => {
  it('that reads is told everything at once', () => {
    const { reader, written } = subscriber(() => true);
    reader.tell(events(1, 2));
    reader.tell([]);
    expect(written).toEqual([frames(1, 2)]);
  });

  it('that does not read has a thousand events waiting, and gets them in order when it reads again', () => {
    let isReading = false;
    const { reader, written, response } = subscriber(() => isReading);
    reader.tell(events(1, 1));
    reader.tell(events(2, 600));
    reader.tell(events(602, 400));
    expect([written, reader.isOpen]).toEqual([[frames(1, 1)], true]);
    isReading = true;
    response.emit('drain');
    expect(written.join('')).toBe(frames(1, 1001));
  });

  it('is told no more at once than a piece, and nothing more until the socket has taken it', () => {
    let takes = 2;
    const { reader, written, response } = subscriber(() => --takes > 0);
    reader.tell(events(1, 250));
    expect(written).toEqual([frames(1, 100), frames(101, 100)]);
    takes = 9;
    response.emit('drain');
    expect(written.slice(2)).toEqual([frames(201, 50)]);
  });

  it('is told what lies behind a piece at a time, each when the socket has taken the one before', async () => {
    let takes = 2;
    const { reader, written, response } = subscriber(() => --takes > 0);
    let asked = 0;
    async function* pieces() {
      for (; asked < 3; asked += 1) yield events(1 + asked * 10, 10);
    }
    const told = reader.replay(pieces());
    await settle();
    expect([written, asked, reader.isReplaying]).toEqual([[frames(1, 10), frames(11, 10)], 2, true]);
    takes = 9;
    response.emit('drain');
    await told;
    expect([written.slice(2), reader.isReplaying]).toEqual([[frames(21, 10)], false]);
  });

  it('that goes while it is told what lies behind leaves the rest unread', async () => {
    const { reader, response } = subscriber(() => false);
    let asked = 0;
    async function* pieces() {
      for (; asked < 3; asked += 1) yield events(1 + asked, 1);
    }
    const told = reader.replay(pieces());
    await settle();
    response.emit('close');
    await told;
    expect(asked).toBe(1);
  });

  it('that lets more wait is told of the gap, from where it can read on, and is let go', () => {
    const { reader, written } = subscriber(() => false);
    reader.tell(events(1, 1));
    reader.tell(events(2, 1001));
    const gap =
      'event: gap\ndata: {"reason":"slow_consumer","oldest_event_id":"usd_gdp_2","resume_with":"/v1/announcements/changes?since=2"}\n\n';
    expect([written, reader.isOpen]).toEqual([[frames(1, 1), `${gap}[end]`], false]);
    reader.tell(events(2000, 1));
    expect(written).toHaveLength(2);
  });

  it('that has gone is written nothing', () => {
    const { reader, written, response } = subscriber(() => true);
    response.emit('close');
    reader.tell(events(1, 1));
    reader.say(': heartbeat\n\n');
    expect([written, reader.isOpen]).toEqual([[], false]);
  });
});
