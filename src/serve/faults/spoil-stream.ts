// Spoils the events of one open stream.
import type { Clock } from '../../platform/platform.ts';
import type { StreamSink } from './captured-answer.ts';
import { drawOf, isHit } from './draw.ts';
import { type EventStage, stageOf } from './event-stages.ts';
import type { EventFault, NamedFault } from './fault.ts';

export interface SpoiledStreamParts {
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
  /** Cuts the connection. */
  readonly cut: () => void;
}

/**
 * Spoils the events of one connection. Walk of a frame: an event goes through the stages of its faults, in the order of the
 * faults; then a stall holds everything back, or a cut ends the connection. Heartbeats are held by a stall alone.
 */
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
