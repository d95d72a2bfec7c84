import { asJsonText } from '../contract/json.ts';
import { datedOf } from './dated.ts';
import type { KeyValue } from './mirror.ts';
import { type Moment, type PastClock, type PastRow, pastRow } from './past-row.ts';
import { type StageTuple, stageOf } from './stages.ts';
import type { Table } from './tables.ts';
import { type VintageTuple, vintageFrom } from './vintages.ts';

/** What is held of one row: the texts that it had, and the vintages that they listed. */
export interface HeldRow {
  readonly key: readonly KeyValue[];
  readonly texts: readonly [StageTuple, ...StageTuple[]];
  readonly listed: readonly VintageTuple[];
}

/** The row as it was known at a moment; undefined when it was not known then, or gone. */
export function rowThen(
  table: Table,
  held: HeldRow,
  { moment, clock }: { moment: Moment; clock: PastClock },
): PastRow | undefined {
  return isSettled(held, moment)
    ? settledRow(table, held, { moment, clock })
    : lookedInto(table, held, { moment, clock });
}

/**
 * Had the row its only text by then, and was everything known that the text says? Most rows of a history are so, and then
 * they are what they are now: nobody has to look into the text to tell.
 */
function isSettled({ texts, listed }: HeldRow, { by, ns, commit }: Moment): boolean {
  const [[ended, seen, refreshed, release, assumed]] = texts;
  if (texts.length > 1 || ended !== null || (refreshed ?? seen) > commit) return false;
  const seconds = ns / 1_000_000_000n;
  for (const [, epoch, observed, came] of listed)
    if (came !== seen || (epoch !== null && epoch > seconds) || (observed !== null && BigInt(observed) > ns))
      return false;
  // Without any vintage the text itself tells since when it was known.
  const published = release ?? assumed;
  return listed.length > 0 || by === 'mirrored' || (by === 'public' && published !== null && published <= seconds);
}

/** The row as it is, looked into when somebody asks for more than its text: of most of a history nobody does. */
function settledRow(table: Table, held: HeldRow, { moment, clock }: { moment: Moment; clock: PastClock }): PastRow {
  const [, seen, refreshed, , , keyed, text] = held.texts[0];
  const seenAt = clock.at(seen);
  let row: PastRow | undefined;
  const read = () => {
    // Nothing of it came by another commit, and the connection may be closed by now.
    row ??= lookedInto(table, held, { moment, clock: { at: () => seenAt } });
    if (!row) throw new Error(`${table.endpoint} ${held.key.join(' ')} is settled and was not known`);
    return row;
  };
  return {
    key: held.key,
    get columns() {
      return read().columns;
    },
    text: asJsonText(text),
    commit: refreshed ?? seen,
    seenAt,
    keyed: keyed === 1,
    get known() {
      return read().known;
    },
  };
}

function lookedInto(
  table: Table,
  { texts, listed }: HeldRow,
  { moment, clock }: { moment: Moment; clock: PastClock },
): PastRow | undefined {
  const stages = texts.map((tuple) => stageOf(table, tuple)).sort((a, b) => a.seen - b.seen);
  const dated = datedOf(table, { stages, listed: listed.map(vintageFrom) }, clock);
  return pastRow(table, { stages, dated }, { moment, clock });
}
