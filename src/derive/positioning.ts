import type { WindowArgs } from '../contract/endpoint.ts';
import type { Derived, Envelope, PageView } from '../contract/hooks.ts';
import { patchRow } from '../contract/json/body.ts';
import { asJsonText, type JsonObject, type JsonText, parseObject } from '../contract/json/json.ts';
import type { Difference } from '../contract/mapping.ts';
import { addDays, dateOf, dateToMs, daysBetween, instantOf, isoSeconds, wallInstant } from '../contract/time/time.ts';
import { marksOf, sourceQuality, windowCounts } from '../coverage/data-quality.ts';
import { hasRows } from '../coverage/missing-parts.ts';
import { madeOf } from './places.ts';

export interface CotArgs extends WindowArgs {
  readonly currency: string;
  readonly report: string;
}

export const REPORTS = ['legacy_futures', 'tff_futures'] as const;

/** A report older than this has missed its week. */
const STALE_AFTER = 21;

/** Net positions that a row states, long minus short, by report. */
const TRADERS: Readonly<Record<string, readonly string[]>> = {
  legacy_futures: ['noncommercial', 'commercial'],
  tff_futures: ['dealer', 'asset_manager', 'leveraged_funds', 'other_reportable'],
};

export const NETS: Readonly<Record<string, Difference>> = Object.fromEntries(
  Object.values(TRADERS)
    .flat()
    .map((trader) => [`${trader}_net`, [`${trader}_long`, `${trader}_short`]] as const),
);

const NAMES: Readonly<Record<string, string>> = {
  legacy_futures: 'Legacy report, futures only',
  tff_futures: 'Traders in financial futures, futures only',
};

/** When positions of a Tuesday are published. */
interface ReportRelease {
  /** The scheduled Friday, UTC date of the place of publication. */
  readonly date: string;
  /** Unix seconds. */
  readonly epoch: number;
}

const ZONE = 'America/New_York';
/** 15:30 on the clock of the publisher. */
const CLOCK_MS = (15 * 60 + 30) * 60_000;
const FRIDAY = 5;
const WEEK = 7;

/** Weekly positions, with nets that rows left out. See docs/interface-endpoints.md#positions-of-traders. */
export async function deriveCot(view: PageView<CotArgs>): Promise<Derived> {
  const newest = await view.edge('newest');
  const { texts, first } = shownRows(view);
  const latest = newest && (newest.text === first?.text ? first.row : parseObject(newest.text));
  const includesLatest = latest === undefined ? undefined : first !== undefined && first.row.date === latest.date;
  const counts = await windowCounts(view);
  const envelope = envelopeOf(view, { latest, counts, hasAny: await hasRows(view) }, includesLatest);
  return { rows: texts, envelope, ...(includesLatest !== undefined && { includesLatest }) };
}

/** The rows of a page as they are shown. Where all rows of the series are at hand, each is read when it is first shown. */
function shownRows(view: PageView<CotArgs>) {
  const { whole, args } = view;
  const [newest] = view.rows;
  const first = newest && { text: newest.text, row: parseObject(newest.text) };
  if (!whole) {
    return { texts: view.rows.map(({ text }) => withNets(text, args.report)), first };
  }
  const made = madeOf(view, `positions ${args.report}`, () => ({
    texts: new Array<JsonText | undefined>(whole.length),
    bytes: whole.length * ROW_BYTES,
  }));
  const textAt = (place: number) => {
    const text = made.texts[place] ?? withNets(whole.text(place), args.report);
    made.texts[place] = text;
    return text;
  };
  return { texts: view.rows.map(({ place = 0 }) => textAt(place)), first };
}

/** A row of positions, as it is shown. */
const ROW_BYTES = 700;

function withNets(text: JsonText, report: string): JsonText {
  const traders = TRADERS[report] ?? [];
  // Most rows state all of them, and are not read: in a text without inner objects such a name is one of its own members.
  if (text.lastIndexOf('{') === 0 && traders.every((trader) => text.includes(`"${trader}_net":`))) return text;
  const row = parseObject(text);
  const missing = traders.flatMap((trader) => {
    const [long, short] = [row[`${trader}_long`], row[`${trader}_short`]];
    if (row[`${trader}_net`] !== undefined || typeof long !== 'number' || typeof short !== 'number') return [];
    return [[`${trader}_net`, asJsonText(String(long - short))] as const];
  });
  return missing.length === 0 ? text : patchRow(text, Object.fromEntries(missing));
}

function envelopeOf(
  view: PageView<CotArgs>,
  {
    latest,
    counts,
    hasAny,
  }: { readonly latest: JsonObject | undefined; readonly counts: Envelope; readonly hasAny: boolean | undefined },
  includesLatest: boolean | undefined,
): Envelope {
  const { args, stored, labels, now } = view;
  const date = typeof latest?.date === 'string' ? latest.date : undefined;
  const today = dateOf(now * 1000);
  const released = instantOf(latest?.announcement_datetime);
  const updated = stored.latest_available_date === date ? stored.last_updated : undefined;
  return {
    report_name: stored.report_name ?? NAMES[args.report],
    available_reports: stored.available_reports ?? REPORTS,
    source: stored.source ?? labels.storage,
    provenance: stored.provenance ?? provenanceOf(view),
    fx_overlay: stored.fx_overlay ?? overlayOf(args.currency),
    latest_available_date: date,
    latest_available_announcement_datetime: released,
    ...expectedRelease(stored, date, now),
    data_lag_days: date === undefined ? undefined : daysBetween(date, today),
    last_updated: updated ?? (released === undefined ? date : isoSeconds(released)),
    data_quality: marksOf({
      ...{ about: sourceQuality(stored), counts, latest: date, today, staleAfter: STALE_AFTER },
      ...{ hasData: hasAny, includesLatest },
    }),
  };
}

/** The service's own forecast while it lies ahead and nothing newer has come, because it knows holidays; else the rule. */
function expectedRelease(stored: JsonObject, latest: string | undefined, now: number): Envelope {
  const { expected_next_release_epoch: stated } = stored;
  if (typeof stated === 'number' && stated > now && stored.latest_available_date === latest) return {};
  const { epoch } = nextRelease(latest, now);
  return {
    expected_next_release: isoSeconds(epoch),
    expected_next_release_epoch: epoch,
    expected_next_release_holiday_adjusted: false,
    expected_next_release_source: 'usual_schedule',
  };
}

function provenanceOf({ args, stored, labels }: PageView<CotArgs>): Envelope {
  return {
    publisher: stored.source ?? null,
    publisher_url: stored.source_url ?? null,
    storage: labels.storage,
    served_by: '/v1/cot/{currency}',
    timestamp_field: 'announcement_datetime',
    value_field: args.report === 'tff_futures' ? 'leveraged_funds_net' : 'noncommercial_net',
  };
}

/** Currencies that are quoted before the dollar. */
const QUOTED_FIRST = ['AUD', 'EUR', 'GBP', 'NZD', 'XAU'];

/** The pair to draw beside the positions; none for the dollar itself. */
function overlayOf(currency: string): JsonObject | undefined {
  if (currency === 'USD') return undefined;
  return { pair: QUOTED_FIRST.includes(currency) ? `${currency}/USD` : `USD/${currency}` };
}

/** The first Friday after a report date, 15:30 in New York. See docs/interface-endpoints.md#positions-of-traders. */
export function reportRelease(reportDate: string): ReportRelease {
  const day = new Date(dateToMs(reportDate)).getUTCDay();
  const date = addDays(reportDate, (FRIDAY - day + WEEK) % WEEK || WEEK);
  return { date, epoch: wallInstant(ZONE, dateToMs(date) + CLOCK_MS) / 1000 };
}

/** True on the day on which the newest report usually comes. `now` in Unix seconds. */
export function isReleaseDay(now: number): boolean {
  return new Date(now * 1000).getUTCDay() === FRIDAY;
}

/** The first scheduled release after a moment (Unix seconds) that is newer than a report date. */
export function nextRelease(latest: string | undefined, now: number): ReportRelease {
  // Reports are of Tuesdays; without any, the one of this week or the next.
  let report = latest === undefined ? addDays(dateOf(now * 1000), -WEEK) : addDays(latest, WEEK);
  for (;;) {
    const release = reportRelease(report);
    if (release.epoch > now) return release;
    report = addDays(report, WEEK);
  }
}
