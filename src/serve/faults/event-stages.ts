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
  let held: readonly { readonly frame: string; readonly left: number }[] = [];
  return {
    longest,
    take(frame, isHit) {
      if (isHit) {
        held = [...held, { frame, left: by }];
        return [];
      }
      held = held.map((one) => ({ ...one, left: one.left - 1 }));
      const due = held.filter(({ left }) => left <= 0);
      held = held.filter(({ left }) => left > 0);
      return [frame, ...due.map((one) => one.frame)];
    },
    rest() {
      const all = held.map(({ frame }) => frame);
      held = [];
      return all;
    },
  };
}

/** Events come in groups, each in an order that the seed draws. It is never their own order. */
function reorderedStage(size: number, longest: number, { seed, name }: { seed: number; name: string }): EventStage {
  let held: readonly string[] = [];
  const rest = () => {
    const ranked = held.map((frame, index) => ({ frame, index, rank: drawOf(seed, `${name} order ${frame}`) }));
    held = [];
    const drawn = ranked.toSorted((a, b) => a.rank - b.rank || a.index - b.index);
    const isOwn = drawn.every(({ index }, at) => index === at);
    return (isOwn ? [...drawn.slice(1), ...drawn.slice(0, 1)] : drawn).map(({ frame }) => frame);
  };
  return {
    longest,
    take(frame, isHit) {
      if (!isHit) return [...rest(), frame];
      held = [...held, frame];
      return held.length < size ? [] : rest();
    },
    rest,
  };
}
