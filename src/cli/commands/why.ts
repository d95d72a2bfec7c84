import type { Compose } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json.ts';
import type { Args } from '../../contract/params.ts';
import { readParams } from '../../contract/read-params.ts';
import { dateOf, isCalendarDate } from '../../contract/time.ts';
import { endpointById } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { HeldSeries, MirrorReader } from '../../mirror/mirror.ts';
import { notMirrored } from '../../source/not-mirrored.ts';
import { findAll, pickSeries } from '../../source/pick.ts';
import type { Question } from '../../source/source.ts';
import type { App } from '../app.ts';
import { nameOfSeries } from '../chosen-series.ts';
import type { Call } from '../command.ts';
import { readDateWord } from '../dates.ts';
import { tellNature } from '../nature.ts';
import { listTexts } from '../output/own-listing.ts';
import { linesOf } from '../why-lines.ts';
import { requireHeld } from './require-held.ts';

const COLUMNS = [
  'series',
  'date',
  'val',
  'public',
  'captured',
  'mirrored',
  'until',
  'source',
  'request',
  'how',
] as const;

/**
 * Where a number came from, of one date: a value and everything that it was before, since when each was known to whom, who
 * published it, and which request or file brought it. Of a rate that is made of others, the same of each leg. Asks nobody.
 */
export async function why(app: App, call: Call): Promise<void> {
  const { question, date } = readWhy(call, app.platform.clock.now());
  const { mirror } = await requireHeld(app);
  const texts = await mirror.snapshot(async (reader) => {
    const series = await seriesOf(reader, question);
    if (series.length === 0) throw notMirrored(question);
    const lines: { series: number; text: JsonText }[] = [];
    for (const held of series)
      for (const text of await linesOf(reader, held, date)) lines.push({ series: held.id, text });
    if (lines.length === 0) throw await withoutRow(reader, series, date);
    return lines;
  });
  const facts = await tellNature(app, mirror);
  const count = new Set(texts.map(({ series }) => series)).size;
  const legs = question.endpoint.compose && count > 1 ? [`read from ${count} series`] : [];
  await app.print(
    listTexts({
      columns: COLUMNS,
      texts: texts.map(({ text }) => text),
      title: [`${subjectOf(question)} on ${date}`, ...legs],
      facts,
    }),
  );
}

interface Asked {
  readonly question: Question;
  readonly date: string;
}

const HINT = 'For example: macro why usd/inflation 2026-09-30, or macro why gbp/jpy 2026-11-20';

function readWhy({ words }: Call, now: number): Asked {
  const parts = words
    .join(' ')
    .split(/[\s/]+/)
    .filter(Boolean);
  const typed = parts.pop() ?? '';
  const date = readDateWord(typed, dateOf(now));
  if (!isCalendarDate(date))
    throw new MacroError('usage', `'${typed}' is no date: macro why ends with the date of the number.`, { hint: HINT });
  const [only = ''] = parts;
  const named = parts.length === 1 && /^[a-z]{6}$/i.test(only) ? [only.slice(0, 3), only.slice(3)] : parts;
  const [first, second] = named;
  if (first === undefined || second === undefined || named.length > 2)
    throw new MacroError('usage', 'macro why needs CCY/INDICATOR or BASE/QUOTE, then a date.', { hint: HINT });
  const isPair = /^[a-z]{3}$/i.test(second) && endpointById('forex')?.at.quote?.words.includes(second.toUpperCase());
  const endpoint = endpointById(isPair ? 'forex' : 'announcements');
  if (!endpoint) throw new Error('the endpoints of rates and of announcements are always there');
  const path = isPair ? { base: first, quote: second } : { currency: first, indicator: second };
  const query = { start_date: date, end_date: date };
  return { question: { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now }).args }, date };
}

function subjectOf({ args }: Question): string {
  return args.base ? `${args.base}/${args.quote}` : `${args.currency} ${args.indicator}`;
}

/** The series that the answer would be made of. */
function seriesOf(reader: MirrorReader, { endpoint, args }: Question): Promise<readonly HeldSeries[]> {
  const compose: Compose<Args> | undefined = endpoint.compose;
  if (compose) return pickSeries(reader, compose, args);
  const scope = Object.fromEntries(Object.keys(endpoint.at).map((name) => [name, String(args[name])]));
  return findAll(reader, [{ endpoint: endpoint.id, scope }]);
}

async function withoutRow(reader: MirrorReader, series: readonly HeldSeries[], date: string): Promise<MacroError> {
  const names = [...new Set(series.map(nameOfSeries))].join(', ');
  const [first] = series;
  const [nearest] = first ? await reader.rows(first, { to: date }, { limit: 1, offset: 0 }) : [];
  return new MacroError('notFound', `The mirror never had a row of ${names} for ${date}.`, {
    code: 'no_such_row',
    hint: nearest ? `The row before it is that of ${nearest.key[0]}.` : 'macro mirror status says what it holds.',
  });
}
