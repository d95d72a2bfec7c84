import { MacroError } from '../errors.ts';
import type { Via } from '../mirror/api/journal.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { NamedSeries, NewRow } from '../mirror/api/page-commit.ts';
import type { AccessTag, DataKind } from '../mirror/api/series.ts';
import { eventPage } from '../mirror/rules/event-page.ts';
import { inBatches } from '../mirror/rules/in-batches.ts';
import type { Clock } from '../platform/platform.ts';

interface RecorderParts {
  readonly mirror: Pick<Mirror, 'commitPage' | 'flush'>;
  readonly clock: Pick<Clock, 'now' | 'turnEnd'>;
  /** Identity of the service whose events these are. */
  readonly service: string;
  /** Under which access they came: what a key brought is not shown to those without one before its time. */
  readonly access: AccessTag;
  readonly via: Via;
  /** The series that an event says have changed. */
  readonly named: (row: NewRow) => readonly NamedSeries[];
}

/**
 * Commits an event with its row, journal entry, arrival and series, and gives its position. Events of a turn share a
 * commit; a bad row keeps out no other.
 */
export function eventRecorder(parts: RecorderParts) {
  const keepReal = keeper(parts, { origin: parts.service, nature: 'real' });
  const keepSynthetic = keeper(parts, { origin: parts.service, nature: 'synthetic' });
  return (row: NewRow, synthetic: boolean): Promise<number | undefined> =>
    synthetic ? keepSynthetic(row) : keepReal(row);
}

/** One commit has events of one nature only. */
function keeper({ mirror, clock, access, via, named }: RecorderParts, kind: Kind) {
  return inBatches({
    clock,
    async work(rows: readonly NewRow[]) {
      const withNames = rows.map((row) => ({ ...row, names: named(row) }));
      const { arrived = [] } = await mirror.commitPage(
        eventPage({ ...kind, access, via, rows: withNames, at: clock.now() }),
      );
      // The answer says that they are stored, so the sender sends them no more.
      await mirror.flush();
      return arrived;
    },
    // A mirror that cannot be written takes none of them alone either.
    isOfOne: (error) => !(error instanceof MacroError && error.kind === 'mirror'),
  });
}

interface Kind {
  readonly origin: string;
  readonly nature: DataKind;
}
