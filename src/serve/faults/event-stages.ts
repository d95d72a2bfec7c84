// Doubles, delays and reorders events.
import { drawOf } from './draw.ts';
import type { EventFault } from './fault.ts';

/** Changes the order or the number of events. */
export interface EventStage {
  /** Takes one event and gives what may be told now. */
  take(frame: string, isHit: boolean): readonly string[];
  /** Gives what is held back. */
  rest(): readonly string[];
  /** Milliseconds that an event is held back at most. */
  readonly longest: number;
}

const HELD_MS = 5_000;
const DEFAULT_SIZE = 3;

/** The stage of a fault; undefined for a fault that changes nothing but time. */
export function stageOf(
  fault: EventFault,
  draw: { readonly seed: number; readonly name: string },
): EventStage | undefined {
  if (fault.fault === 'doubled') return { take: doubled, rest: () => [], longest: 0 };
  if (fault.fault === 'late') return lateStage(fault.by ?? 1, fault.ms ?? HELD_MS);
  if (fault.fault === 'reordered') return reorderedStage(fault.size ?? DEFAULT_SIZE, fault.ms ?? HELD_MS, draw);
  return undefined;
}

function doubled(frame: string, isHit: boolean): readonly string[] {
  return isHit ? [frame, frame] : [frame];
}

/** An event that is late comes after so many others. */
function lateStage(by: number, longest: number): EventStage {
  let delayed: readonly { readonly frame: string; readonly left: number }[] = [];
  return {
    longest,
    take(frame, isHit) {
      if (isHit) {
        delayed = [...delayed, { frame, left: by }];
        return [];
      }
      delayed = delayed.map((one) => ({ ...one, left: one.left - 1 }));
      const due = delayed.filter(({ left }) => left <= 0);
      delayed = delayed.filter(({ left }) => left > 0);
      return [frame, ...due.map((one) => one.frame)];
    },
    rest() {
      const all = delayed.map(({ frame }) => frame);
      delayed = [];
      return all;
    },
  };
}

/** Events come in groups, each in an order that the seed draws. It is never their own order. */
function reorderedStage(size: number, longest: number, { seed, name }: { seed: number; name: string }): EventStage {
  let delayed: readonly string[] = [];
  const rest = () => {
    const ranked = delayed.map((frame, index) => ({ frame, index, rank: drawOf(seed, `${name} order ${frame}`) }));
    delayed = [];
    const drawn = ranked.toSorted((a, b) => a.rank - b.rank || a.index - b.index);
    const isOwn = drawn.every(({ index }, at) => index === at);
    return (isOwn ? [...drawn.slice(1), ...drawn.slice(0, 1)] : drawn).map(({ frame }) => frame);
  };
  return {
    longest,
    take(frame, isHit) {
      if (!isHit) return [...rest(), frame];
      delayed = [...delayed, frame];
      return delayed.length < size ? [] : rest();
    },
    rest,
  };
}
