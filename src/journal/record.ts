import { readEvent } from '../contract/release-event.ts';
import type { Via } from '../mirror/journal.ts';
import type { AccessTag, Mirror, NamedSeries, NewRow } from '../mirror/mirror.ts';
import type { Clock } from '../platform/platform.ts';

export interface RecorderParts {
  readonly mirror: Pick<Mirror, 'commitPage' | 'journal'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Identity of the service whose events these are. */
  readonly service: string;
  /** Under which access they came: what a key brought is not shown to those without one before its time. */
  readonly access: AccessTag;
  readonly via: Exclude<Via, 'changes'>;
  /** The series that an event says have changed. */
  readonly named: (row: NewRow) => readonly NamedSeries[];
}

/**
 * Makes what keeps an event that came by itself: one commit has its row of changes, its place in the journal, the way it
 * came and the series that it names. Of an event that is known already only the way is noted; its row stays as it first
 * came, since each way spells it a little differently. Gives the position of a new event.
 */
export function eventRecorder({ mirror, clock, service, access, via, named }: RecorderParts) {
  return async (row: NewRow, synthetic: boolean): Promise<number | undefined> => {
    const origin = synthetic ? 'sandbox' : service;
    const before = await mirror.journal.event(String(row.value.event_id));
    const known = before?.origin === origin ? before : undefined;
    const { arrived } = await mirror.commitPage({
      series: { origin, endpoint: 'announcements_changes', scope: {} },
      nature: synthetic ? 'synthetic' : 'real',
      access,
      request: `${via} event`,
      question: `announcements_changes by ${via}`,
      rows: [known ? { text: known.text, value: readEvent(known.text).value } : row],
      extent: 'adds',
      arrived: { via },
      named: known ? [] : named(row),
      at: clock.now(),
    });
    return arrived?.[0];
  };
}
