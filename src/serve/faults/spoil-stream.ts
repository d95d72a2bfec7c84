// Spoils the events of one open stream.
import type { Clock } from '../../platform/platform.ts';
import type { StreamSink } from './captured-answer.ts';
import { drawOf, isHit } from './choose-faults.ts';
import type { EventFault, NamedFault } from './fault.ts';

interface SpoiledStreamParts {
  readonly faults: readonly NamedFault<EventFault>[];
  readonly seed: number;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends what waits, once the connection is gone. */
  readonly signal: AbortSignal;
  /** Writes to the socket; false when it is full. */
  readonly write: (text: string) => boolean;
  readonly end: (text: string) => void;
  /** Says that there is room again. */
  readonly drained: () => void;
  readonly cut: () => void;
}

/** Changes the order or the number of events. */
interface EventStage {
  /** Takes one event and gives the events that are due. */
  take(frame: string, isHit: boolean): readonly string[];
  /** Returns the withheld text. */
  rest(): readonly string[];
  /** Milliseconds that an event is withheld at most. */
  readonly longest: number;
}

const HELD_MS = 5_000;
const DEFAULT_SIZE = 3;

/** Spoils the events of one connection by its faults in order; then a stall withholds all output, or a cut ends it. */
export function spoilStream(parts: SpoiledStreamParts): StreamSink {
  const { faults, seed, clock, signal, write, drained, cut } = parts;
  const counts = new Map<string, number>();
  const lines = faults.map(({ name, rule }) => ({ name, rule, stage: stageOf(rule, { seed, name }) }));
  let stalled: string[] | undefined;
  let isOver = false;

  function isChosen({ name, rule }: NamedFault<EventFault>, frame: string): boolean {
    const number = counts.get(name) ?? 0;
    counts.set(name, number + 1);
    return isHit(rule, number, () => drawOf(seed, `${name} ${number} ${frame.split('\n', 1)[0]}`));
  }

  /** Gives an event to the faults from this one on. */
  function pass(frame: string, from: number): void {
    const line = lines[from];
    if (isOver) return;
    if (!line) return void tell(frame);
    const { rule, stage } = line;
    const chosen = isChosen(line, frame);
    if (stage) {
      const due = stage.take(frame, chosen);
      if (due.length === 0) releaseLater(stage, from);
      for (const one of due) pass(one, from + 1);
      return;
    }
    if (chosen && rule.fault === 'cut') {
      isOver = true;
      if (rule.bytes) write(frame.slice(0, rule.bytes));
      cut();
      return;
    }
    if (chosen && rule.fault === 'stall') stall(rule.ms);
    pass(frame, from + 1);
  }

  function releaseLater(stage: EventStage, from: number): void {
    wait(stage.longest, () => {
      for (const one of stage.rest()) pass(one, from + 1);
    });
  }

  function stall(ms: number | undefined): void {
    if (stalled) return;
    stalled = [];
    if (ms === undefined) return;
    wait(ms, () => {
      const waiting = stalled ?? [];
      stalled = undefined;
      for (const frame of waiting) tell(frame);
      drained();
    });
  }

  function wait(ms: number, then: () => void): void {
    clock.sleep(ms, signal).then(
      () => !isOver && then(),
      () => undefined,
    );
  }

  function tell(frame: string): boolean {
    if (!stalled) return write(frame);
    stalled.push(frame);
    return false;
  }

  return {
    write(text) {
      let hasRoom = true;
      for (const frame of text.split(/(?<=\n\n)/)) {
        if (isOver) return true;
        if (frame.startsWith('id: ')) pass(frame, 0);
        else hasRoom = tell(frame);
      }
      return hasRoom && !stalled;
    },
    end(text) {
      if (isOver) return;
      isOver = true;
      const delayed = lines.flatMap(({ stage }) => stage?.rest() ?? []);
      parts.end(stalled ? '' : `${delayed.join('')}${text}`);
    },
  };
}

/** The stage of a fault; undefined for a fault that changes nothing but time. */
function stageOf(fault: EventFault, draw: { readonly seed: number; readonly name: string }): EventStage | undefined {
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
