import { cutBody } from '../contract/json/body.ts';
import { type JsonObject, parseObject } from '../contract/json/json.ts';
import {
  ALL_DATES,
  type Beside,
  calendarDate,
  counting,
  doubtsOf,
  type ShownWhole,
  valueText,
  versionDoubt,
  versionSays,
  type WholeSeries,
  waysAfter,
  wholeDifferences,
  wholeShown,
} from '../coverage/doubts.ts';
import { MacroError } from '../errors.ts';
import type { SeriesCheck, StoredRow, StoredSeries } from '../mirror/api/series.ts';
import { storedBeside } from '../source/stored/raise-doubts.ts';
import { announcedBetween } from './feeds.ts';
import type { Step } from './plan/step.ts';
import { type Pages, storedSeries, type Work } from './work.ts';

/** The facts that a run over a window saw beside its rows. */
export interface SeenBeside {
  /** The first date that the service says it has. */
  first?: string;
  /** Date of the oldest row that came, and the date that it names as the one before it. */
  oldest?: string;
  previous?: string;
}

/** Reads all rows of a series, from the first date on to the present, or to a date ahead of it. */
type ReadAll = (until: string | undefined) => Pages;

/** Notes what a page shows of the rest of its series. */
export function noteBeside(sight: SeenBeside, envelope: JsonObject, oldest: JsonObject | undefined): void {
  const first = calendarDate(envelope.earliest_available_date);
  if (first !== undefined) sight.first ??= first;
  const date = calendarDate(oldest?.date);
  if (date === undefined) return;
  sight.oldest = date;
  const previous = calendarDate(oldest?.previous_date);
  if (previous !== undefined) sight.previous = previous;
  else delete sight.previous;
}

/**
 * Compares the findings of a check with the stored rows; if they differ, reads the whole series, first with one
 * request.
 */
export async function* settleDoubts(work: Work, step: Step, sight: SeenBeside, readAll: ReadAll): Pages {
  const check = work.whole.noted ?? step.check;
  const stored = await storedSeries(work);
  if (!stored || !check) return;
  // An event that comes meanwhile is compared the next time.
  const now = work.clock.now();
  const event = await work.mirror.journal.newest();
  const found = await besideIn(work, stored, { check, sight, from: String(step.window?.from ?? ''), until: event });
  const compared = { ...check, event, comparedAt: Math.max(now, found.cameAt) };
  const doubted = counting(found.doubts, check.ways);
  work.whole.noted = compared;
  if (doubted.length > 0) yield* checkWhole(work, step, readAll, doubted);
  else if (event !== check.event) await note(work, stored, compared);
}

async function besideIn(
  work: Work,
  stored: StoredSeries,
  {
    check,
    sight,
    from,
    until,
  }: { readonly check: SeriesCheck; readonly sight: SeenBeside; readonly from: string; readonly until: number },
): Promise<{ readonly doubts: readonly string[]; readonly cameAt: number }> {
  const { mirror } = work;
  const { oldest } = sight;
  const beside = await storedBeside(mirror, work.target.endpoint, { stored, oldest });
  const { written: told, cameAt } = await announcedBetween(mirror.journal, work.target, { after: check.event, until });
  const written = told.map(({ rows, date }) => ({ rows, isBefore: date !== undefined && date < from }));
  const changed = written.length === 0 ? 0 : await changedSince(work, stored, { check, oldest });
  const seen: Beside = { first: sight.first, previous: sight.previous, written };
  return { doubts: doubtsOf(seen, { ...beside, changed }), cameAt };
}

/** How many rows have changed since the last comparison, including rows withdrawn in this run. */
async function changedSince(
  { mirror, counts }: Work,
  stored: StoredSeries,
  { check, oldest }: { readonly check: SeriesCheck; readonly oldest: string | undefined },
): Promise<number> {
  const rows = await mirror.rows(stored, oldest === undefined ? {} : { from: oldest });
  return rows.filter(({ seenAt }) => seenAt > check.comparedAt).length + counts.rows.vanished;
}

/**
 * Asks for the newest row, which shows count, start and version.
 * If they differ from the mirror, or under `--check`, the series is read whole. A remaining difference is noted until it changes.
 */
export async function* checkWhole(work: Work, step: Step, readAll: ReadAll, doubted: readonly string[] = []): Pages {
  const { clock } = work;
  const stored = await storedSeries(work);
  const check = work.whole.noted ?? step.check;
  if (!stored || !check || work.whole.isChecked) return;
  const askedAt = clock.now();
  // A history without a version cannot show that nothing has changed.
  const isRead = step.isStrict === 'full' || (step.isStrict && !work.target.endpoint.versioned);
  const shown = isRead ? NOTHING_SHOWN : await askWhole(work);
  const here = await storedWhole(work, stored);
  const { version } = shown;
  const state = await work.mirror.rowsState(stored.id);
  const says = versionSays(check, { version, state });
  const differences = [...wholeDifferences(shown, here), ...versionDoubt(says)];
  const isExact = says === 'same' && check.isExact === true && differences.length === 0;
  const { isExact: _, version: __, doubt, ...rest } = check;
  const doubts = [...doubted, ...(doubt?.found ?? [])];
  const counted = counting([...differences, ...(isExact ? [] : doubts)], check.ways);
  const noted = { ...rest, askedAt, ...(version !== undefined && { version }) };
  if (counted.length === 0 && (isExact || !step.isStrict)) {
    const exact = isExact ? { wholeAt: askedAt, isExact } : {};
    work.whole.isChecked = isExact;
    await note(work, stored, { ...noted, ...exact, state });
    return;
  }
  yield* readAll(shown.newest?.slice(0, 10));
  work.whole.isChecked = true;
  const after = await work.mirror.rowsState(stored.id);
  const hasChanged = after !== state;
  const found = [
    ...wholeDifferences(shown, await storedWhole(work, stored)),
    ...(hasChanged ? [] : versionDoubt(says)),
  ];
  const ways = waysAfter(check.ways, { found, doubted: doubts, hasChanged });
  const facts = { ...noted, wholeAt: askedAt, state: after, ways, comparedAt: clock.now() };
  await note(work, stored, { ...facts, ...(version !== undefined && { isExact: true as const }) });
}

async function note(work: Work, stored: StoredSeries, check: SeriesCheck): Promise<void> {
  work.whole.noted = check;
  await work.mirror.noteCheck(stored.id, work.access, check);
}

const NOTHING_SHOWN: ShownWhole = { rows: undefined, first: undefined, newest: undefined, version: undefined };

async function askWhole({ target, client, signal, counts }: Work): Promise<ShownWhole> {
  const { endpoint } = target;
  const { window } = endpoint.mirror ?? {};
  const bounds = window && { [window.from]: ALL_DATES.from, [window.to]: ALL_DATES.to };
  const args = { ...target.args, ...bounds, limit: 1, offset: 0 };
  try {
    const reply = await client.ask({ endpoint, args, ...(signal && { signal }) });
    counts.isPartial ||= reply.partial !== undefined;
    const { envelope, rows } = cutBody(endpoint.body, reply.body);
    return wholeShown(endpoint, envelope, rows);
  } catch (error) {
    // A service that takes no such dates cannot be asked in this way.
    if (error instanceof MacroError && error.kind === 'usage') return NOTHING_SHOWN;
    throw error;
  }
}

async function storedWhole(work: Work, stored: StoredSeries): Promise<WholeSeries> {
  const rows = await work.mirror.count(stored, {});
  const { first, newest } = await endsOf(work, stored, rows);
  const { value } = work.target.endpoint.mirror ?? {};
  return { rows, first, newest: newest && valueText(value, parseObject(newest.text)) };
}

async function endsOf({ mirror, target }: Work, stored: StoredSeries, rows: number) {
  if (rows === 0) return { first: undefined, newest: undefined };
  const at = async (offset: number) => (await mirror.rows(stored, {}, { limit: 1, offset }))[0];
  const [front, back] = [await at(0), await at(rows - 1)];
  const [newest, oldest] = target.endpoint.mirror?.order === 'newest' ? [front, back] : [back, front];
  return { first: oldest && dateOf(oldest), newest };
}

const dateOf = ({ key }: StoredRow): string => String(key[0]);
