import { MacroError } from '../errors.ts';
import type { Via } from '../mirror/journal.ts';
import type { AccessTag, Mirror, NamedSeries, NewRow } from '../mirror/mirror.ts';
import type { Clock } from '../platform/platform.ts';

export interface RecorderParts {
  readonly mirror: Pick<Mirror, 'commitPage'>;
  readonly clock: Pick<Clock, 'now' | 'turnEnd'>;
  /** Identity of the service whose events these are. */
  readonly service: string;
  /** Under which access they came: what a key brought is not shown to those without one before its time. */
  readonly access: AccessTag;
  readonly via: Via;
  /** The series that an event says have changed. */
  readonly named: (row: NewRow) => readonly NamedSeries[];
}

interface Waiting {
  readonly row: NewRow;
  readonly synthetic: boolean;
  readonly resolve: (position: number | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Events that one transaction takes: nobody else can write meanwhile. */
const MOST = 256;

/**
 * Makes what keeps an event outside of the feed's own walk: one commit has its row of changes, its place in the journal, the way it
 * came and the series that it names. Gives the position of a new event. A commit costs far more than a row of it, so events
 * that come in the same turn are one; a row that cannot be kept does not keep out the others.
 */
export function eventRecorder(parts: RecorderParts) {
  let waiting: Waiting[] = [];
  let isKeeping = false;

  /** Waits for more as long as every turn brings some. */
  async function gather(): Promise<void> {
    for (let before = 0; before < waiting.length && before < MOST; ) {
      before = waiting.length;
      await parts.clock.turnEnd();
    }
  }

  async function keepAll(): Promise<void> {
    if (isKeeping) return;
    isKeeping = true;
    while (waiting.length > 0) {
      await gather();
      const batch = alikeIn(waiting);
      waiting = waiting.filter((one) => !batch.has(one));
      await keep(parts, [...batch]);
    }
    isKeeping = false;
  }

  return (row: NewRow, synthetic: boolean): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ row, synthetic, resolve, reject });
      keepAll().catch(reject);
    });
}

/** The first ones that one page can hold: of the same nature, each another event. */
function alikeIn(waiting: readonly Waiting[]): ReadonlySet<Waiting> {
  const byId = new Map<unknown, Waiting>();
  for (const one of waiting.slice(0, MOST)) {
    const id = one.row.value.event_id;
    if (one.synthetic === waiting[0]?.synthetic && !byId.has(id)) byId.set(id, one);
  }
  return new Set(byId.values());
}

async function keep(parts: RecorderParts, batch: readonly Waiting[]): Promise<void> {
  try {
    const positions = await commit(parts, batch);
    for (const [i, { resolve }] of batch.entries()) resolve(positions[i]);
  } catch (error) {
    // A mirror that cannot be written takes none of them alone either.
    const isShared = batch.length === 1 || (error instanceof MacroError && error.kind === 'mirror');
    if (isShared) for (const { reject } of batch) reject(error);
    else for (const one of batch) await keep(parts, [one]);
  }
}

async function commit({ mirror, clock, service, access, via, named }: RecorderParts, batch: readonly Waiting[]) {
  const synthetic = batch[0]?.synthetic === true;
  const { arrived = [] } = await mirror.commitPage({
    series: { origin: synthetic ? 'sandbox' : service, endpoint: 'announcements_changes', scope: {} },
    nature: synthetic ? 'synthetic' : 'real',
    access,
    request: `${via} event`,
    question: `announcements_changes by ${via}`,
    rows: batch.map(({ row }) => ({ ...row, names: named(row) })),
    extent: 'adds',
    arrived: { via },
    at: clock.now(),
  });
  return arrived;
}
