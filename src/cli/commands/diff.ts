import type { MissingPart } from '../../contract/hooks.ts';
import { MARK_MEMBER } from '../../contract/json/body.ts';
import { type JsonText, parseObject } from '../../contract/json/json.ts';
import type { Range } from '../../contract/time/coverage.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { PartialAnswer } from '../../coverage/partial-answer.ts';
import { endpointById, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { KeyValue, StoredSeries } from '../../mirror/api/series.ts';
import { knownSpansOf, missingUncheckedAt, tellsOf } from '../../source/known-spans.ts';
import { missingOfStored, partialOf } from '../../source/read-coverage.ts';
import { type App, dataKindNote } from '../app/app.ts';
import { readAvailability, readMoment } from '../parse/moments.ts';
import { readCount, textOption } from '../parse/options.ts';
import { partialTitle } from '../print/listing-view.ts';
import { endIfPartial } from '../print/partial.ts';
import { chosenBy, lineOf, nameOfSeries, noneChosen, seriesByEndpoint } from '../print/series.ts';
import { type Call, type CommandDeclaration, optionIn } from './command.ts';
import { ALLOW_PARTIAL, AVAILABILITY, LISTING } from './common-options.ts';
import { requireOwnMirror } from './require.ts';

export default [
  {
    path: ['diff'],
    summary: 'Show the rows that were added, revised and withdrawn between two moments',
    words: `[words...] (<selection>): only series whose name has all of these words`,
    options: [
      `--from T: the earlier moment: 2026-11-01 (its beginning, UTC), an instant, -6h, -30min, -7d (the beginning of that day)
      --to T: the later moment; default now`,
      { ...optionIn(AVAILABILITY), heading: 'Options' },
      `--limit N [Rows and formats]: differences at most; default 10000
      ${ALLOW_PARTIAL}`,
      LISTING,
    ],
    examples: ['diff --from -7d', 'diff fx eur usd --from 2026-11-01 --to 2026-11-15 --availability mirrored'],
    rows: 'change added|revised|withdrawn, series text, origin text, row text, old? any, new? any, fields? list',
    run: diff,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = ['change', 'series', 'row', 'old', 'new', 'fields'] as const;
const ORIGIN_COLUMNS = ['change', 'series', 'origin', ...COLUMNS.slice(2)] as const;

/** Rows that one command prints at most, when nobody says: what it holds in memory has an end. */
const DEFAULT_LIMIT = 10_000;

/** Rows that are read of a series at once. */
const PAGE = 500;

type Question = ReturnType<typeof readDiff>;

/** Prints rows that were added, revised or withdrawn between two moments. @throws MacroError of kind `notFound`. */
async function diff(app: App, call: Call): Promise<void> {
  const now = app.platform.clock.now();
  const question = readDiff(call, now);
  const mirror = await requireOwnMirror(app);
  const { texts, silent, isCut, partial, lookedAt } = await mirror.snapshot(async (reader) => {
    const series = (await seriesByEndpoint(reader, chosenBy(call.words))).flatMap((one) => one.series);
    if (series.length === 0) throw noneChosen(call.words);
    const partial = await partialOfDiff(reader, series, question, now);
    const lookedAt = await lookBefore(reader, series, question);
    return { ...(await differencesOf(reader, series, question)), partial, lookedAt };
  });
  const facts = await dataKindNote(app, mirror);
  const { from, to, limit } = question;
  for (const series of silent.slice(0, 3))
    await app.note(
      `The mirror has no history of ${series} before ${iso(from)}, so every row counts as added.`,
      'unknown_then',
    );
  if (silent.length > 3) await app.note(`The same of ${silent.length - 3} more series.`, 'unknown_then');
  if (lookedAt !== undefined && texts.length === 0)
    await app.note(
      `Nobody looked between ${iso(from)} and ${iso(to)}: what the mirror knows of it ends at ${isoSeconds(Math.floor(lookedAt / 1000))}.`,
      'not_looked_at',
    );
  if (isCut)
    await app.warn(
      `there are more than ${limit} differences; name fewer series, or more rows with --limit`,
      'more_rows',
    );
  const origins = new Set(texts.map((text) => parseObject(text).origin));
  await app.list({
    // Two sources of one series may have different values.
    columns: origins.size > 1 ? ORIGIN_COLUMNS : COLUMNS,
    // Which fields differ stands in the values, too.
    spare: ['fields'],
    texts,
    title: [`${texts.length} differences`, `${iso(from)} to ${iso(to)}`, from.by, ...partialTitle(partial)],
    facts,
    beside: {
      ...{ from: iso(from), to: iso(to), availability: from.by, count: texts.length, has_more: isCut },
      ...(partial && { [MARK_MEMBER]: partial.mark }),
    },
  });
  await endIfPartial(app, { partial });
}

function readDiff({ options }: Call, now: number) {
  const by = readAvailability(options) ?? 'public';
  const text = textOption(options, 'from');
  if (text === undefined)
    throw new MacroError('usage', 'macro diff needs the moment to start from.', {
      hint: 'For example: macro diff --from -7d fx eur usd',
    });
  const from = readMoment(text, { option: '--from', now });
  const end = textOption(options, 'to');
  const to = end === undefined ? now : readMoment(end, { option: '--to', now });
  if (from > to)
    throw new MacroError('usage', '--from must not be after --to.', { hint: 'The earlier moment comes first.' });
  return { from: { at: from, by }, to: { at: to, by }, limit: readCount(options, 'limit', 1) ?? DEFAULT_LIMIT };
}

const iso = ({ at }: AsOf) => isoSeconds(Math.floor(at / 1000));

/** Differences, and names of series whose state at the first moment the mirror does not know. */
async function differencesOf(reader: MirrorReader, all: readonly StoredSeries[], question: Question) {
  const texts: JsonText[] = [];
  const silent: string[] = [];
  for (const series of all) {
    const before = texts.length;
    for await (const difference of inPages(reader, series, question)) {
      if (texts.length >= question.limit) return { texts, silent, isCut: true };
      texts.push(lineOf(series, difference));
    }
    if (texts.length > before && !(await tellsOf(series, question.from, reader))) silent.push(nameOfSeries(series));
  }
  return { texts, silent, isCut: false };
}

async function* inPages(reader: MirrorReader, series: StoredSeries, { from, to }: Question) {
  let after: readonly KeyValue[] | undefined;
  for (;;) {
    const page = await reader.differences(series, { from, to, limit: PAGE, ...(after && { after }) });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

/** Facts that a comparison cannot show: missing rows, and changes after the last check. */
async function partialOfDiff(
  reader: MirrorReader,
  series: readonly StoredSeries[],
  { from, to }: Pick<Question, 'from' | 'to'>,
  now: number,
): Promise<PartialAnswer | undefined> {
  if (from.by === 'mirrored') return undefined;
  // The missing ranges of a feed stand in the journal, and nobody keeps its events for long.
  const lasting = series.filter(({ endpoint }) => MAPPINGS[endpoint]?.sync?.kind !== 'cursor');
  const origins = Map.groupBy(lasting, ({ endpoint, scope }) => JSON.stringify([endpoint, scope]));
  const missingParts: MissingPart[] = [];
  for (const same of origins.values()) {
    const covered = await Promise.all(
      same.map((one) => missingOfStored(reader, one, { now, range: eventsBetween(one, { from, to }) })),
    );
    const seen = await Promise.all(
      same.map((one) => missingUncheckedAt(one, { moments: [from.at, to.at], now, reader })),
    );
    // Dates that one origin covers are covered, and a series that one origin knew at both moments is compared.
    missingParts.push(...fewest(covered), ...fewest(seen));
  }
  const [first] = missingParts;
  const endpoint = first && endpointById(first.series.endpoint);
  return endpoint && partialOf({ endpoint, args: {} }, missingParts, { checkedAt: now, now });
}

function fewest(ofOrigins: readonly (readonly MissingPart[])[]): readonly MissingPart[] {
  return ofOrigins.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** Events and schedules are compared where they lie between the moments; any date of a history may be revised then. */
function eventsBetween({ endpoint }: StoredSeries, { from, to }: Pick<Question, 'from' | 'to'>): Range | undefined {
  const kind = MAPPINGS[endpoint]?.sync?.kind;
  if (kind !== 'window' && kind !== 'spans') return undefined;
  return { from: Math.floor(from.at / 1000), to: Math.floor(to.at / 1000) };
}

/** Until when (milliseconds) anything is known of some series, where that was before both moments: nothing was seen between them. */
async function lookBefore(reader: MirrorReader, series: readonly StoredSeries[], { from }: Pick<Question, 'from'>) {
  if (from.by === 'mirrored') return undefined;
  const spans = (await Promise.all(series.map((one) => knownSpansOf(one, reader)))).flat();
  const last = Math.max(...spans.map(({ to }) => to));
  return last > 0 && last <= from.at ? last : undefined;
}
