import { KEYLESS_DAYS } from '../../contract/access.ts';
import type { HookContext, Lack, LoadedSeries } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { isJsonObject, type Json, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import type { ReleaseEvent } from '../../contract/release-event.ts';
import type { Range } from '../../contract/time/coverage.ts';
import { addDays, dateOf, isoSeconds } from '../../contract/time/time.ts';
import { cadenceOf, RHYTHMS } from '../cadence.ts';
import { lacksOfHistory } from './all-indicators.ts';
import { kindOf, withChanges } from './change-members.ts';
import { seriesMembers, withIdentity } from './identity.ts';
import { patched, printText, readKept } from './print.ts';
import { selectVintage } from './selection.ts';
import { byOrigin } from './series-choice.ts';

/** Members of `latest_announcement` in the compact form. */
const COMPACT = ['date', 'val', 'announcement_datetime'] as const;

interface Serving {
  readonly loaded: readonly LoadedSeries[];
  readonly context: HookContext<{ readonly payload: string }>;
  readonly cutoff: number | undefined;
  /** Told what a full row lacks: the row itself, or what it is compared with. */
  readonly onLack: (lack: Lack) => void;
}

/** The event in the asked payload: `compact` names the print, `full` carries its whole row. */
export function eventText(event: ReleaseEvent, serving: Serving): JsonText {
  const [own] = memberTexts(event.text, ['latest_announcement']);
  if (!own?.startsWith('{')) return event.text;
  if (serving.context.args.payload !== 'full') return compactText(event, own);
  return isFull(own) ? event.text : fullText(event, own, serving);
}

/** True for an event that carries the whole row of its release. */
export function hasFullRow(event: JsonText): boolean {
  const [latest] = memberTexts(event, ['latest_announcement']);
  return latest?.startsWith('{') === true && isFull(latest);
}

/** A row of a history names its announcement or its observation; anything else beside the print is the service's own. */
function isFull(latest: JsonText): boolean {
  const row = parseObject(latest);
  return Object.hasOwn(row, 'announcement_id') || Object.hasOwn(row, 'observation_id');
}

function compactText(event: ReleaseEvent, latest: JsonText): JsonText {
  if (!isFull(latest)) return event.text;
  const others = Object.keys(parseObject(latest)).filter((name) => !COMPACT.some((known) => known === name));
  const kept = patchRow(latest, Object.fromEntries(others.map((name) => [name, undefined])));
  return patchRow(event.text, { latest_announcement: isoRelease(kept) });
}

/** In events the release time of a row is ISO. See docs/interface.md#release-events. */
function isoRelease(latest: JsonText): JsonText {
  const { announcement_datetime: release } = parseObject(latest);
  return typeof release === 'number'
    ? patchRow(latest, { announcement_datetime: toJsonText(isoSeconds(release)) })
    : latest;
}

/** The event with the row of its period; as it is where the mirror does not hold that row. */
function fullText(event: ReleaseEvent, latest: JsonText, serving: Serving): JsonText {
  const { loaded, onLack } = serving;
  const { date } = parseObject(latest);
  const history = loaded
    .filter(({ ref }) => ref.endpoint === 'announcements' && ref.scope.indicator === event.indicator)
    .filter(({ ref }) => ref.scope.currency?.toLowerCase() === event.currency)
    .sort(byOrigin)
    .find(({ rows }) => rows.some(({ columns }) => columns.date === date));
  if (!history) {
    const scope = { currency: event.currency.toUpperCase(), indicator: event.indicator };
    const range = { from: String(date), to: String(date) };
    onLack({ series: { endpoint: 'announcements', scope, exact: true }, range });
    return event.text;
  }
  const at = history.rows.findIndex(({ columns }) => columns.date === date);
  const row = rowAt(history, at, { event, latest, ...serving });
  return patchRow(event.text, { latest_announcement: isoRelease(row) });
}

function isUnlisted(revisions: Json | undefined, val: number): boolean {
  return Array.isArray(revisions) && !revisions.some((one) => isJsonObject(one) && Object.is(one.val, val));
}

interface RowWish {
  readonly event: ReleaseEvent;
  readonly latest: JsonText;
  readonly context: HookContext<unknown>;
  readonly cutoff: number | undefined;
  readonly onLack: (lack: Lack) => void;
}

/** A row of a history as the history route would show it, with the value that was announced. */
function rowAt(
  { ref, envelope, rows, kept, coverage }: LoadedSeries,
  at: number,
  { event, latest, context, cutoff, onLack }: RowWish,
): JsonText {
  const { now, caller } = context;
  const cadence = cadenceOf(rows.slice(at).map(({ columns }) => String(columns.date)));
  const reach = cadence ? RHYTHMS[cadence].rowsPerYear : 2;
  const question = { revisions: 'latest', asOf: undefined, availability: 'public', cutoff, now } as const;
  const prints = rows
    .slice(at, at + reach + 1)
    .map((row) => readKept(row, kept))
    .map((print) => selectVintage(print, question) ?? print);
  const [first, ...older] = prints;
  if (!first) return latest;
  const value = parseObject(latest).val;
  const [toldText = first.valText] = memberTexts(latest, ['val']);
  const isRevised = typeof value === 'number' && !Object.is(value, first.val);
  // A value that the row lists no vintage of was made up: the row's own members tell of another release.
  if (isRevised && isUnlisted(first.row.revisions, value)) return latest;
  // A revision since then is another event's news.
  const announced = isRevised
    ? patched({ ...first, val: value, valText: toldText, altered: true }, { val: toldText })
    : first;
  const visibleFrom = caller.kind === 'keyless' ? addDays(dateOf(now * 1000), -KEYLESS_DAYS) : undefined;
  const kind = kindOf(envelope, [first.row]);
  const onHole = (range: Range) => lacksOfHistory(ref, coverage, range).forEach(onLack);
  const rules = { kind, cadence, visibleFrom, asReceived: true, coverage, onHole };
  const name = { currency: event.currency.toUpperCase(), indicator: event.indicator };
  const [shown = announced] = withChanges([announced, ...older], 1, rules);
  return printText(withIdentity(shown, name, seriesMembers(name, envelope).selected_series_id));
}
