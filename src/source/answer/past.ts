import { wordsFor } from '../../contract/endpoint.ts';
import type { ComposeRules } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject, readJson, toJsonText } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import type { AsOf, Availability } from '../../contract/time/moments.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { wordList } from '../../contract/words/words.ts';
import { LOADED_MAPPINGS, loadedEndpoint } from '../../endpoints/find.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { RowPage, Selection, StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import { tellsFrom } from '../known-spans.ts';
import type { StateReader } from '../reading.ts';
import { selectStored } from './pick.ts';

/** The mirror as it was known at a moment, and what its reading brought to light. */
export interface Past {
  readonly reader: MirrorReader;
  /** Sentences for a person about what the answer rests on. */
  notes(): Promise<readonly string[]>;
  /** Refuses an answer that needs all its series if the mirror does not know the state of one at the moment. */
  requireKnown(compose: ComposeRules<Args>, args: Args): Promise<void>;
  /** Why an answer that found nothing found nothing, where it is that the mirror cannot tell; else the error as it is. */
  explain(error: unknown, compose: ComposeRules<Args> | undefined, args: Args): Promise<unknown>;
}

/** Members that describe a series (names, units, publishers, choices): those of now, since nobody keeps old ones. */
const DESCRIBING: ReadonlySet<string> = new Set(
  wordList(`
    currency indicator base quote pair factor session session_timezone session_close_local timezone
    curve_family metric name unit frequency methodology instrument report report_name report_dataset_id
    available_reports fx_overlay source source_url source_series_id source_series_name source_local_name
    source_policy provenance is_proxy has_official_forecast seasonal_adjustment price_basis value_name
    value_mode value_metadata remap component_metadata filters selected_series_id selected_series
    supported_options policy_role policy_structure comparison_compatible policy_family`),
);

/** The members of a quality about the publisher; the others count rows and days as of the capture. */
const DESCRIBING_QUALITY: ReadonlySet<string> = new Set(
  wordList('is_official is_proxy is_fallback is_derived reason source_name source_type'),
);

/** A rule for the release times of a file is valid at every moment; a count is valid only at its capture. */
function describingQuality(quality: JsonObject): JsonObject {
  const { has_assumed_release_times: assumed, assumed_release_time_count: counted } = quality;
  const isRule = assumed === true && counted === undefined;
  return { ...only(quality, DESCRIBING_QUALITY), ...(isRule && { has_assumed_release_times: true }) };
}

/** The members of a pair's metadata about how its rates are made; its checks are as of now. */
const DESCRIBING_PAIR: ReadonlySet<string> = new Set(wordList('is_derived derivation_method'));

/**
 * The one reader of the mirror for a question of the past: nothing knows more than its moment, and present coverage
 * shows nothing of then.
 * @throws MacroError of kind `notFound`.
 */
export function createPast(reader: MirrorReader, asOf: AsOf, state: Pick<StateReader, 'column'>): Past {
  const emptyReads = emptyReadsOf(reader, asOf);
  const silent = new Map<StoredSeries['id'], SilentSeries>();
  let isLate = false;
  let confirmed = Number.POSITIVE_INFINITY;

  async function toldAmong(held: readonly StoredSeries[]): Promise<ToldSeries> {
    const told: StoredSeries[] = [];
    let from = Number.NEGATIVE_INFINITY;
    for (const series of held) {
      const { tells, since, always } = await reader.knowledge(series, asOf);
      const begins = await tellsFrom(series, asOf, reader);
      // Values without a time of release tell nothing before their first vintage, which may lie before the import.
      const isDated = tells || (Number.isFinite(begins) && begins < since);
      if (tells && asOf.at >= begins) told.push(series);
      else silent.set(series.id, { series, since: isDated ? begins : since, isDated });
      from = Math.max(from, begins, always ? Number.NEGATIVE_INFINITY : since);
    }
    const checkedAt = Math.min(...told.map((series) => series.checkedAt));
    return { series: told.map(described), checkedAt, from: told.length === held.length ? from : Number.NaN };
  }

  /** One question asks for the same rows several times: to count them, to page them, to describe them. */
  const read = new Map<string, Promise<readonly StoredRow[]>>();

  async function rowsThen(series: StoredSeries, selection: Selection, page?: RowPage): Promise<readonly StoredRow[]> {
    const whole = page && read.get(nameOfRead(series, selection));
    if (whole) return pageOf(await whole, page);
    const name = nameOfRead(series, selection, page);
    const rows = read.get(name) ?? reader.rows(series, { ...selection, asOf }, page);
    read.set(name, rows);
    return rows;
  }

  async function rowsKnown(series: StoredSeries, selection: Selection, page?: RowPage) {
    const rows = await rowsThen(series, selection, page);
    emptyReads.note(series, rows.length);
    isLate ||= rows.some((row) => isDatedByRelease(row, asOf));
    return rows;
  }

  const past: MirrorReader = {
    ...reader,
    async find(ref) {
      const held = await reader.find(ref, asOf.at);
      const name = `told ${asOf.by} ${held.map(({ checkedAt }) => checkedAt)}`;
      const last = state.column(held, name, (): LastTold => ({}));
      const told = last.told && last.told.from <= asOf.at ? last.told : await toldAmong(held);
      last.told = told;
      confirmed = Math.min(confirmed, told.checkedAt);
      return told.series;
    },
    async count(series, selection) {
      // Where rows list their vintages, whether one was known takes as long as the row itself.
      if (LOADED_MAPPINGS[series.endpoint]?.vintages === undefined) return reader.count(series, { ...selection, asOf });
      return (await rowsThen(series, selection)).length;
    },
    rows: rowsKnown,
    texts: async (series, selection) => (await rowsKnown(series, selection)).map(({ text }) => text),
    async columns(series, selection, names) {
      const values = await reader.columns(series, { ...selection, asOf }, names);
      emptyReads.note(series, Object.values(values).filter((list) => list !== undefined).length);
      return values;
    },
    vintages: (series, key, selection) => reader.vintages(series, key, { ...selection, asOf }),
    coveredRanges: async (series, access) => (asOf.by === 'public' ? reader.coveredRanges(series, access) : []),
  };
  return {
    reader: past,
    notes: async () => [...(await emptyReads.notes()), ...staleNotes(confirmed, asOf), ...lateNotes(isLate)],
    async requireKnown(compose, args) {
      if (!compose.required || silent.size === 0) return;
      const lacking = (await selectStored(reader, compose, args)).flatMap(({ id }) => silent.get(id) ?? []);
      if (lacking.length > 0) throw untold(lacking, asOf);
    },
    async explain(error, compose, args) {
      if (!isNotHeld(error) || silent.size === 0) return error;
      // Whatever was looked through on the way to the series of the answer explains nothing.
      const own = compose
        ? await selectStored(reader, compose, args)
        : [...silent.values()].map(({ series }) => series);
      const lacking = own.flatMap(({ id }) => silent.get(id) ?? []);
      return lacking.length > 0 ? untold(lacking, asOf) : error;
    },
  };
}

/** A series whose state at the moment the mirror does not know. */
interface SilentSeries {
  readonly series: StoredSeries;
  /** From when on it can, in milliseconds. */
  readonly since: number;
  /** Its values have times: the moment was before the first vintage that was imported. */
  readonly isDated: boolean;
}

/** The series whose state at a moment the mirror knows. */
interface ToldSeries {
  readonly series: readonly StoredSeries[];
  /** The oldest last check among them, in milliseconds. */
  readonly checkedAt: number;
  /** From this moment (milliseconds) on, the state of all found series is known; not a number if some have none. */
  readonly from: number;
}

/** The last choice among the found series, for later moments. */
interface LastTold {
  told?: ToldSeries;
}

function nameOfRead({ id }: StoredSeries, selection: Selection, page?: RowPage): string {
  return JSON.stringify([id, selection, page && [page.limit, page.offset, page.reverse === true]]);
}

function pageOf(rows: readonly StoredRow[], page: RowPage): readonly StoredRow[] {
  return (page.reverse ? rows.toReversed() : rows).slice(page.offset, page.offset + page.limit);
}

/** The row came to the mirror after the moment, and only its release says that it was known by then. */
function isDatedByRelease(row: StoredRow, { at, by }: AsOf): boolean {
  return by === 'public' && row.seenAt > at && (row.known?.byRelease ?? true);
}

/** Changes between the last check and the moment are not in the mirror; what it had stored is, whenever that was. */
function staleNotes(confirmed: number, { at, by }: AsOf): readonly string[] {
  if (by === 'mirrored' || confirmed >= at) return [];
  const since = isoSeconds(Math.floor(confirmed / 1000));
  return [`The mirror was last confirmed at ${since}, before that moment: what became known in between is missing.`];
}

function lateNotes(isLate: boolean): readonly string[] {
  if (!isLate) return [];
  return ['Some values were stored only after that moment, so they may include revisions made since then.'];
}

function described(series: StoredSeries): StoredSeries {
  const { envelope } = series;
  if (!envelope) return series;
  const text = toJsonText(describingMembers(readJson(envelope.text)));
  // No question of the past equals the question that the envelope was received for.
  return { ...series, envelope: { ...envelope, text, inputs: '' } };
}

function isNotHeld(error: unknown): boolean {
  return error instanceof MacroError && error.code === 'not_mirrored';
}

const WHOM: Readonly<Record<Availability, string>> = {
  public: 'the published values',
  captured: 'the values that the service had',
  mirrored: 'its own rows',
};

function nameOf({ endpoint, scope }: StoredSeries): string {
  return wordsFor(loadedEndpoint(endpoint), scope)[0] ?? [endpoint, ...Object.values(scope)].join(' ');
}

function untold(silent: readonly SilentSeries[], { at, by }: AsOf): MacroError {
  const [first] = silent;
  const name = first ? nameOf(first.series) : 'this';
  const others = silent.length > 1 ? ` and ${silent.length - 1} more` : '';
  const since = Math.min(...silent.map((one) => one.since));
  const seen = Number.isFinite(since) ? ` It has them since ${isoSeconds(Math.floor(since / 1000))}.` : '';
  return new MacroError(
    'notFound',
    `The mirror does not know ${WHOM[by]} of ${name}${others} at ${isoSeconds(Math.floor(at / 1000))}.${seen}`,
    {
      status: 404,
      code: 'not_known_then',
      hint: silent.every(({ isDated }) => isDated)
        ? 'That is the first vintage of the file. Ask about a later moment, or import a file with earlier vintages.'
        : by === 'public'
          ? 'Nothing in these rows says when they were published. Ask about a later moment; regular syncs make every moment from now on known.'
          : 'Ask about a later moment, or with --availability public, which goes by publication times. Regular syncs make every moment from now on known.',
    },
  );
}

function emptyReadsOf(reader: MirrorReader, asOf: AsOf) {
  const empty = new Map<StoredSeries['id'], StoredSeries>();
  let isFound = false;

  /** Undefined where the series has no rows or no dates. A window without rows says nothing of the rows around it. */
  async function beginningOf(series: StoredSeries): Promise<string | undefined> {
    const { order, window } = LOADED_MAPPINGS[series.endpoint] ?? {};
    if (window?.unit !== 'date') return undefined;
    const [first] = await reader.rows(series, {}, { limit: 1, offset: 0, reverse: order === 'newest' });
    const date = first?.columns[window.column];
    return typeof date === 'string' ? date : undefined;
  }

  const knowsRows = async (series: StoredSeries) => (await reader.count(series, { asOf })) > 0;

  return {
    note(series: StoredSeries, rows: number) {
      if (rows > 0) isFound = true;
      else empty.set(series.id, series);
    },
    async notes() {
      if (isFound) return [];
      const read = [...empty.values()];
      const beginnings = (await Promise.all(read.map(beginningOf))).filter((date) => date !== undefined).sort();
      const [first] = beginnings;
      if (first === undefined || (await Promise.all(read.map(knowsRows))).includes(true)) return [];
      const moment = isoSeconds(Math.floor(asOf.at / 1000));
      return [`Stored values for this begin with ${first}, and none of it was known at ${moment}.`];
    },
  };
}

/** Stored describing members for a question of the past: none that counts or dates later rows, and no unknown one. */
function describingMembers(stored: JsonObject): JsonObject {
  const described = only(stored, DESCRIBING);
  const { data_quality: quality, pair_metadata: pair } = stored;
  return {
    ...described,
    ...(isJsonObject(quality) && { data_quality: describingQuality(quality) }),
    ...(isJsonObject(pair) && { pair_metadata: only(pair, DESCRIBING_PAIR) }),
  };
}

function only(members: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name)));
}
