import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventFault, FaultWindow } from '../../../src/serve/faults/fault.ts';
import { spoilStream } from '../../../src/serve/faults/spoil-stream.ts';
import { testClock } from '../../support/clock.ts';

const frame = (id: number) => `id: e${id}\nevent: announcement\ndata: {}\n\n`;
const BEAT = ': heartbeat\n\n';

function stream(...rules: readonly (EventFault & FaultWindow)[]) {
  const clock = testClock(0, 'waits');
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const told: string[] = [];
  const sink = spoilStream({
    ...{ faults: rules.map((rule, index) => ({ name: String(index), rule })), seed: 1, clock, signal: gone.signal },
    write(text) {
      told.push(/^id: (\w+)/.exec(text)?.[1] ?? text);
      return true;
    },
    end: (text) => void told.push(`end ${text}`),
    drained: () => void told.push('drained'),
    cut: () => void told.push('cut'),
  });
  return { sink, told, clock };
}

const all = (count: number) => Array.from({ length: count }, (_, at) => frame(at + 1)).join('');

describe('events of a stream', () => {
  it('come twice', () => {
    const { sink, told } = stream({ fault: 'doubled', skip: 1, times: 1 });
    expect(sink.write(BEAT + all(3))).toBe(true);
    expect(told).toEqual([BEAT, 'e1', 'e2', 'e2', 'e3']);
  });

  it('come after others, or when time is over', async () => {
    const { sink, told, clock } = stream({ fault: 'late', by: 2, ms: 900, times: 1 });
    sink.write(all(4));
    expect(told).toEqual(['e2', 'e3', 'e1', 'e4']);
    const other = stream({ fault: 'late', ms: 900, times: 1 });
    other.sink.write(frame(1));
    await other.clock.advance(899);
    expect(other.told).toEqual([]);
    await other.clock.advance(1);
    expect(other.told).toEqual(['e1']);
    await clock.advance(900);
    expect(told).toHaveLength(4);
  });

  it('come in another order, which is the same each time', () => {
    const order = () => {
      const { sink, told } = stream({ fault: 'reordered', size: 4 });
      sink.write(all(8));
      return told;
    };
    const first = order();
    expect(order()).toEqual(first);
    expect(first.slice(0, 4).toSorted()).toEqual(['e1', 'e2', 'e3', 'e4']);
    expect(first.slice(0, 4)).not.toEqual(['e1', 'e2', 'e3', 'e4']);
    expect(first.slice(4).toSorted()).toEqual(['e5', 'e6', 'e7', 'e8']);
  });

  it('wait for the end of a stall, heartbeats too', async () => {
    const { sink, told, clock } = stream({ fault: 'stall', ms: 5_000, skip: 1, times: 1 });
    expect(sink.write(all(2))).toBe(false);
    expect(sink.write(BEAT)).toBe(false);
    expect(told).toEqual(['e1']);
    await clock.advance(5_000);
    expect(told).toEqual(['e1', 'e2', BEAT, 'drained']);
    expect(sink.write(frame(3))).toBe(true);
  });

  it('end in the middle of one', () => {
    const { sink, told } = stream({ fault: 'cut', skip: 1, bytes: 5 });
    sink.write(all(3));
    expect(told).toEqual(['e1', 'e', 'cut']);
    sink.end('bye');
    expect(told).toHaveLength(3);
  });

  it('that are held come before the end', () => {
    const { sink, told } = stream({ fault: 'late', by: 9 });
    sink.write(frame(1));
    sink.end(BEAT);
    expect(told).toEqual([`end ${frame(1)}${BEAT}`]);
  });
});
