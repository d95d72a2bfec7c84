import { MARK_MEMBER } from '../../../contract/json/body.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import type { AsOf } from '../../../contract/time/as-of.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { KeyValue, MirrorReader, RowDifference, StoredSeries } from '../../../mirror/api/mirror.ts';
import { tellsOf } from '../../../source/coverage/known-spans.ts';
import type { App } from '../../app/app.ts';
import { dataKindNote } from '../../app/data-kind.ts';
import { chosenBy, nameOfSeries, noneChosen } from '../../messages/chosen-series.ts';
import { lineOf } from '../../messages/diff-line.ts';
import { endIfPartial } from '../../messages/partial.ts';
import { partialTitle } from '../../output/listing-view.ts';
import { listTexts } from '../../output/own-listing.ts';
import { readAvailability, readMoment } from '../../parse/as-of.ts';
import { readCount } from '../../parse/counts.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../mirror/require-held.ts';
import { lookBefore, shortfallOfDiff } from './diff-lacks.ts';

const COLUMNS = ['change', 'series', 'row', 'old', 'new', 'fields'] as const;

/** Rows that one command prints at most, when nobody says: what it holds in memory has an end. */
const DEFAULT_LIMIT = 10_000;

/** Rows that are read of a series at once. */
const PAGE = 500;

interface Question {
  readonly from: AsOf;
  readonly to: AsOf;
  readonly limit: number;
}

/**
 * What became known between two moments: rows that were added, revised or withdrawn. Walk: the series that the words mean;
 * of each the rows of both moments side by side, so many at a time; stop when enough are told, and say so.
 * @throws MacroError of kind `notFound`.
 */
export async function diff(app: App, call: Call): Promise<void> {
  const now = app.platform.clock.now();
  const question = readDiff(call, now);
  const { mirror } = await requireMirror(app);
  const { texts, silent, isCut, shortfall, lookedAt } = await mirror.snapshot(async (reader) => {
    const series = await heldSeries(reader, call.words);
    if (series.length === 0) throw noneChosen(call.words);
    const shortfall = await shortfallOfDiff(reader, series, { ...question, now });
    const lookedAt = await lookBefore(reader, series, question);
    return { ...(await differencesOf(reader, series, question)), shortfall, lookedAt };
  });
  const facts = await dataKindNote(app, mirror);
  const { from, to, limit } = question;
  for (const series of silent.slice(0, 3))
    await app.note(
      `The mirror cannot tell what was known of ${series} at ${iso(from)}: all of it counts as added.`,
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
  await app.print(
    listTexts({
      columns: COLUMNS,
      // Which fields differ stands in the values, too.
      spare: ['fields'],
      texts,
      title: [`${texts.length} differences`, `${iso(from)} to ${iso(to)}`, from.by, ...partialTitle(shortfall)],
      facts,
      beside: {
        ...{ from: iso(from), to: iso(to), availability: from.by, count: texts.length, has_more: isCut },
        ...(shortfall && { [MARK_MEMBER]: shortfall.mark }),
      },
    }),
  );
  await endIfPartial(app, { shortfall });
}

function readDiff({ options }: Call, now: number): Question {
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

async function heldSeries(reader: MirrorReader, words: readonly string[]): Promise<readonly StoredSeries[]> {
  const found: StoredSeries[] = [];
  for (const { id, mirror } of ENDPOINTS)
    if (mirror) found.push(...(await reader.find({ endpoint: id, scope: {} })).filter(chosenBy(words)));
  return found;
}

interface ComparisonFacts {
  readonly texts: readonly JsonText[];
  /** Names of series of which the mirror cannot tell what was known at the first moment. */
  readonly silent: readonly string[];
  readonly isCut: boolean;
}

async function differencesOf(
  reader: MirrorReader,
  all: readonly StoredSeries[],
  question: Question,
): Promise<ComparisonFacts> {
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

async function* inPages(
  reader: MirrorReader,
  series: StoredSeries,
  { from, to }: Question,
): AsyncGenerator<RowDifference> {
  let after: readonly KeyValue[] | undefined;
  for (;;) {
    const page = await reader.differences(series, { from, to, limit: PAGE, ...(after && { after }) });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}
