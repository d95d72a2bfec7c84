import { readableAt } from '../../contract/access.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  floatText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { percentChange, RHYTHMS } from '../cadence.ts';
import type { HistoryTail, ShownPrints } from './history-tail.ts';
import { type Patch, type Print, releaseOfPrint } from './print.ts';

/** One value of an entry: `latest` or `previous`. */
interface Value {
  readonly date: string;
  readonly val: number | null;
  readonly release: number | undefined;
  readonly text: JsonText;
}

/** An entry as the service sent it. */
export interface StoredEntry {
  readonly indicator: string;
  readonly text: JsonText;
  readonly latest: Value | undefined;
  readonly previous: Value | undefined;
  /** Release time of a print that the service itself held back. */
  readonly heldBack: number | undefined;
}

/** Members that are null when the newest print is withheld. */
const CHANGES = ['pct_diff_prev', 'pct_change_mom', 'pct_change_qoq', 'pct_change_yoy'] as const;

export function readEntry(text: JsonText): StoredEntry {
  const row = parseObject(text);
  const [latest, previous] = memberTexts(text, ['latest', 'previous']);
  const withheld = isJsonObject(row.withheld) ? row.withheld.announcement_datetime : undefined;
  return {
    indicator: String(row.indicator),
    text,
    latest: latest && readValue(latest),
    previous: previous && readValue(previous),
    heldBack: typeof withheld === 'number' ? withheld : undefined,
  };
}

/**
 * An entry as a caller with a delay may see it: a value that was another one in the entry of before the delay was revised
 * since, and the older one stands. A new period is no revision: its release time decides.
 */
export function unrevised(entry: StoredEntry, before: StoredEntry): StoredEntry {
  const isRevised = (value: Value | undefined, was: Value | undefined) =>
    value !== undefined && was !== undefined && value.date === was.date && !Object.is(value.val, was.val);
  if (isRevised(entry.latest, before.latest) || isRevised(entry.previous, before.previous)) return before;
  if (!before.latest || !isRevised(entry.previous, before.latest)) return entry;
  const change = percentChange(entry.latest?.val ?? null, before.latest.val);
  const others = Object.fromEntries(CHANGES.map((name) => [name, undefined]));
  const text = patchRow(entry.text, {
    ...others,
    previous: before.latest.text,
    pct_diff_prev: change === undefined ? undefined : asJsonText(floatText(change)),
  });
  return { ...entry, previous: before.latest, text };
}

function readValue(text: JsonText): Value | undefined {
  const value = parseObject(text);
  if (typeof value.date !== 'string') return undefined;
  return {
    date: value.date,
    val: typeof value.val === 'number' ? value.val : null,
    release: releaseOfPrint(value),
    text,
  };
}

/** An entry ready to be served; without a text when there is nothing that the caller may see. */
export interface LatestEntry {
  readonly text: JsonText | undefined;
  readonly date: string | undefined;
  /** Release time that the delay kept out of it. */
  readonly withheld: number | undefined;
  /** A comparison may be left out, because a hole lies where its other value would be. */
  readonly isCut?: boolean;
}

export interface Sources {
  readonly indicator: string;
  readonly stored: StoredEntry | undefined;
  readonly tail: HistoryTail | undefined;
  readonly cutoff: number | undefined;
}

/** The entry of one indicator from what is stored of it. See docs/interface.md#latest-announcements. */
export function buildEntry(sources: Sources): LatestEntry {
  const { stored, tail, cutoff } = sources;
  const isHidden = (release: number | undefined) =>
    cutoff !== undefined && release !== undefined && release > cutoff ? release : undefined;
  const newest = tail?.shown?.latest;
  const withheld = tail?.hidden ?? isHidden(stored?.latest?.release) ?? isHidden(stored?.heldBack);
  if (withheld !== undefined) {
    const seen = [newest && valueOfPrint(newest), stored?.latest, stored?.previous]
      .filter((value) => value !== undefined && isHidden(value.release) === undefined)
      .reduce<Value | undefined>((best, value) => (isNewer(value, best) ? value : best), undefined);
    if (!seen) return { text: undefined, date: undefined, withheld };
    return { text: withheldEntry(sources, seen, withheld), date: seen.date, withheld };
  }
  if (stored && (!newest || speaksFirst(stored, newest)))
    return { text: stored.text, date: stored.latest?.date, withheld };
  if (!newest || !tail?.shown) return { text: undefined, date: undefined, withheld };
  return { text: computedEntry(sources, tail, tail.shown), date: newest.date, withheld, isCut: tail.isCut };
}

/** True when the service's own entry is the newer word, or the same one: then it is served as it came. */
function speaksFirst({ latest, heldBack }: StoredEntry, newest: Print): boolean {
  const value = valueOfPrint(newest);
  if (!latest || isNewer(value, latest)) return false;
  return isNewer(latest, value) || (heldBack === undefined && Object.is(latest.val, value.val));
}

function isNewer(value: Value | undefined, than: Value | undefined): boolean {
  if (!value || !than) return value !== undefined;
  if (value.date !== than.date) return value.date > than.date;
  return (value.release ?? 0) > (than.release ?? 0);
}

function withheldEntry(sources: Sources, seen: Value, release: number): JsonText {
  const available = readableAt(release);
  const withheld = {
    announcement_datetime: release,
    available_at: available,
    available_at_iso: isoSeconds(available),
  };
  return patchRow(identityText(sources), {
    latest: seen.text,
    ...Object.fromEntries(CHANGES.map((name) => [name, asJsonText('null')])),
    withheld: toJsonText(withheld),
  });
}

/** The entry last made of the newest prints of a history, and what else it was made of. */
const lastEntry = new WeakMap<
  ShownPrints,
  {
    readonly indicator: string;
    readonly stored: JsonText | undefined;
    readonly envelope: JsonObject;
    readonly text: JsonText;
  }
>();

function computedEntry(sources: Sources, { envelope }: HistoryTail, shown: ShownPrints): JsonText {
  const { indicator, stored: entry } = sources;
  const stored = entry?.text;
  const last = lastEntry.get(shown);
  if (last && last.indicator === indicator && last.stored === stored && last.envelope === envelope) return last.text;
  const text = entryText(sources, shown);
  lastEntry.set(shown, { indicator, stored, envelope, text });
  return text;
}

function entryText(sources: Sources, { latest, previous, before }: ShownPrints): JsonText {
  const against = (val: number | null | undefined) => {
    const change = percentChange(latest.val, val);
    return change === undefined ? undefined : asJsonText(floatText(change));
  };
  return patchRow(identityText(sources), {
    latest: valueOfPrint(latest).text,
    previous: previous && valueOfPrint(previous).text,
    pct_diff_prev: against(previous?.val),
    pct_change_mom: against(before.month),
    pct_change_qoq: against(before.quarter),
    pct_change_yoy: against(before.year),
  });
}

function valueOfPrint(print: Print): Value {
  const names = ['announcement_datetime', 'source', 'source_url'];
  const texts = memberTexts(print.text, names);
  const members: Patch = Object.fromEntries(names.map((name, i) => [name, texts[i]]));
  const { date, val, release, valText } = print;
  return { date, val, release, text: patchRow(asJsonText('{}'), { date: toJsonText(date), val: valText, ...members }) };
}

/** Members of an entry that describe the indicator: as the service sent them, else as its history tells them. */
function identityText({ indicator, stored, tail }: Sources): JsonText {
  const gone = ['latest', 'previous', ...CHANGES, 'withheld'];
  if (stored) return patchRow(stored.text, Object.fromEntries(gone.map((name) => [name, undefined])));
  const { envelope = {}, cadence } = tail ?? {};
  const metadata = envelope.value_metadata;
  const { name, source, source_url, seasonal_adjustment, has_official_forecast } = envelope;
  return toJsonText({
    indicator,
    name,
    unit: envelope.unit ?? (isJsonObject(metadata) ? metadata.source_unit : undefined),
    frequency: typeof envelope.frequency === 'string' ? envelope.frequency : cadence && RHYTHMS[cadence].label,
    source,
    source_url,
    seasonal_adjustment,
    has_official_forecast,
  });
}
