import { asJsonText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Availability } from '../../contract/time/moments.ts';
import { dateOf, dateToMs } from '../../contract/time/time.ts';
import { AMBIGUOUS } from '../../contract/time/vintages.ts';
import { monthsBefore } from '../cadence.ts';
import type { Patch, Print } from './print.ts';
import {
  firstVintage,
  newestVintage,
  type PrintVintage,
  printVintages,
  publicAt,
  releasedBy,
  secondsToNs,
  unknownSince,
  vintageKnownAt,
} from './vintages.ts';

/** Which vintage of each period a question wants, and who asks. What was not known at its moment it is never given. */
export interface VintageQuestion {
  readonly revisions: string;
  /** Known to whom: orders vintages in time. */
  readonly availability: Availability;
  /** Newest release (Unix seconds) that the caller may read; undefined for callers without a delay. */
  readonly cutoff: number | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/** True when the answer needs the values that the mirror saw replaced: not every revision stands in a list. */
export function needsKept(question: VintageQuestion): boolean {
  return choosesVintages(question) || question.revisions === 'all' || question.cutoff !== undefined;
}

/** True when the answer may hold other values, or fewer periods, than the rows. */
export function choosesVintages({ revisions }: VintageQuestion): boolean {
  return revisions === 'first' || revisions === 'final';
}

/**
 * The period with the value that the question wants; undefined when it has none. Walk: hide what the caller may not read
 * yet, then choose among the rest.
 */
export function selectVintage(print: Print, question: VintageQuestion): Print | undefined {
  const { cutoff, availability, revisions } = question;
  if (revisions === 'latest' && cutoff === undefined) return print;
  const all = printVintages(print);
  const known = cutoff === undefined ? all : releasedBy(all, secondsToNs(cutoff) ?? 0n);
  if (revisions === 'final' && !isSettled(print, all, question)) return undefined;
  const whole = known.length === all.length;
  // The row's value is the service's own choice of the newest: it stands where nothing is hidden.
  const stored = whole ? all.findLast(({ val }) => Object.is(val, print.val)) : undefined;
  const shown = revisions === 'first' ? firstVintage(known) : stored;
  const chosen = shown ?? newestKnown(all, known, question);
  if (!chosen) return undefined;
  const isListed = whole && !(revisions === 'all' && print.kept);
  // Only who asks for vintages is shown more of them than the row listed.
  const visible = revisions === 'latest' ? known.filter(({ remembered }) => !remembered) : known;
  const since = vintageKnownAt(chosen, availability);
  return {
    ...show(print, chosen, isListed ? undefined : visible),
    ...(since !== undefined && { since: { ns: String(since), isConfirmed: chosen.confirmed } }),
  };
}

/** The newest that the caller may know; where only the mirror's list orders the values, the last of them. */
function newestKnown(
  all: readonly PrintVintage[],
  known: readonly PrintVintage[],
  { cutoff, availability }: VintageQuestion,
): PrintVintage | undefined {
  const at = secondsToNs(cutoff);
  const step = at === undefined ? undefined : publicAt(all, at);
  if (step?.state === 'ambiguous') return unknownSince(step.at);
  return step?.known ?? newestVintage(known, availability);
}

/** Members of a row that speak of the vintage that it shows. */
export const CAPTURE_MEMBERS = [
  'vintage_status',
  'observed_at_ns',
  'observed_at_ns_string',
  'capture_time_basis',
  'publication_time_status',
  'publication_time_precision',
] as const;

function show(print: Print, chosen: PrintVintage, left: readonly PrintVintage[] | undefined): Print {
  const altered = !Object.is(chosen.val, print.val);
  return {
    ...print,
    val: chosen.val,
    valText: chosen.valText,
    altered: print.altered || altered,
    patch: {
      ...print.patch,
      ...(altered && { val: chosen.valText, ...captureMembers(chosen) }),
      ...reasonMember(print, chosen),
      ...(left && { revisions: listText(left) }),
    },
  };
}

/** Why there is no value; a row that was told without one may say so already. */
function reasonMember({ row }: Print, { isAmbiguous }: PrintVintage): Patch {
  if (isAmbiguous) return { reason: toJsonText(AMBIGUOUS) };
  return row.reason === AMBIGUOUS ? { reason: undefined } : {};
}

/** What the chosen vintage says of its capture; the row's own members would speak of another value. */
function captureMembers({ entry }: PrintVintage): Patch {
  const value = entry?.value ?? {};
  const said = (name: string): JsonText | undefined => {
    // The number has lost its last digits in parsing; its twin has them.
    if (name === 'observed_at_ns' && typeof value.observed_at_ns_string === 'string')
      return asJsonText(value.observed_at_ns_string);
    return value[name] === undefined ? undefined : toJsonText(value[name]);
  };
  return { val_mom: undefined, ...Object.fromEntries(CAPTURE_MEMBERS.map((name) => [name, said(name)])) };
}

function listText(vintages: readonly PrintVintage[]): JsonText | undefined {
  const texts = vintages.flatMap(({ entry }) => (entry ? [entry.text] : []));
  return texts.length === 0 ? undefined : asJsonText(`[${texts.join(',')}]`);
}

/** True when the period was first released at least 12 months before the moment of the question. */
function isSettled(print: Print, vintages: readonly PrintVintage[], { now }: VintageQuestion): boolean {
  const yearAgo = monthsBefore(dateOf(now * 1000), 12, false);
  const listed = vintages.flatMap(({ known }) =>
    known.public === undefined ? [] : [Number(known.public / 1_000_000_000n)],
  );
  const released = print.release ?? (listed.length > 0 ? Math.min(...listed) : undefined);
  const from = released ?? dateToMs(print.date) / 1000;
  return dateOf(from * 1000) <= yearAgo;
}
