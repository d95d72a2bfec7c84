/** One series as each of its origins has it: the service, and the publishers of imported files. Asks nobody. */
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { Selection, StoredSeries } from '../../../mirror/api/series.ts';
import { withoutUndone } from '../../../mirror/rules/as-of/undone.ts';
import { knowsStateOf } from '../../../source/coverage/known-spans.ts';
import { notMirrored } from '../../../source/coverage/not-mirrored.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { type App, dataKindNote } from '../../app/app.ts';
import { readCount } from '../../parse/options.ts';
import type { ParsedQuestion } from '../../parse/question.ts';
import { listTexts } from '../../print/listing.ts';
import { fieldsOf, rawAt } from '../../print/rows.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../mirror/require-held.ts';
import { readPlainQuestion } from '../plain-question.ts';
import { CURRENCY_WORDS } from '../series-words.ts';
import { emptySides } from './empty-sides.ts';

const DEFAULT_DATES = 12;

interface OriginValues {
  /** The publisher of a file, or the address of the service. */
  readonly name: string;
  /** Values as they are spelled, by date. */
  readonly values: ReadonlyMap<string, string>;
  /** Date of its newest row, whatever the window; null where it has none. */
  readonly newest: string | null;
  /** Does the mirror know what this origin said at the moment in question? */
  readonly isKnown: boolean;
}

/**
 * Prints one row a date, one column an origin, and whether their numbers differ.
 * @throws MacroError of kinds `usage` and `notFound`.
 */
export async function compareOrigins(app: App, call: Call): Promise<void> {
  const { options } = call;
  const limit = readCount(options, 'limit', 1);
  const { limit: _, ...others } = options;
  const parsed = readOne(call, others, app.platform.clock.now());
  for (const note of parsed.notes) await app.note(note, 'about_question');
  const { mirror } = await requireMirror(app);
  const origins = await mirror.snapshot((reader) =>
    valuesByOrigin(withoutUndone(reader), parsed, { isWhole: others.start === undefined }),
  );
  const known = origins.filter(({ isKnown }) => isKnown);
  for (const { name } of origins.filter(({ isKnown }) => !isKnown))
    await app.note(`The mirror cannot tell what ${name} said then.`, 'about_answer');
  const dates = [...new Set(known.flatMap(({ values }) => [...values.keys()]))].sort().reverse();
  const shown = dates.slice(0, limit ?? (others.start === undefined ? DEFAULT_DATES : undefined));
  const columns = known.map(({ name }) => name);
  const subject = call.words.join(' ').toUpperCase();
  await app.print(
    listTexts({
      columns: ['date', ...columns, 'differs'],
      texts: shown.map((date) => rowText(date, known)),
      title: [`${subject} by origin`, `${shown.length} of ${dates.length} dates`],
      beside: { series: subject, origins: columns },
      facts: await dataKindNote(app, mirror),
    }),
  );
  for (const note of emptySides(known, shown)) await app.note(note, 'about_answer');
}

/** `usd inflation`, `eur/usd`, or the words of a command, such as `commodities gold`. */
function readOne({ words }: Call, options: Call['options'], now: number): ParsedQuestion {
  const readOptions = { ...options, all: true as const, origins: undefined };
  const [first = '', second = '', further] = words;
  if (first === '' || first.includes(',')) throw noSeries();
  const pair = words.length === 1 ? first.split('/') : isPair(first, second) && further === undefined ? words : [];
  const whole = pair.length === 2 ? ['fx', ...pair] : words;
  const parsed =
    readPlainQuestion(whole, readOptions, now) ?? readPlainQuestion(['announcements', ...whole], readOptions, now);
  if (!parsed) throw noSeries();
  return parsed;
}

function noSeries(): MacroError {
  return new MacroError('usage', 'macro compare --origins takes one series.', {
    code: 'bad_words',
    hint: 'For example: macro compare usd inflation --origins, macro compare eur/usd --origins',
  });
}

const isPair = (first: string, second: string): boolean =>
  [first, second].every((word) => CURRENCY_WORDS.includes(word.toLowerCase()));

async function valuesByOrigin(
  reader: MirrorReader,
  { question, asOf }: ParsedQuestion,
  { isWhole }: { readonly isWhole: boolean },
): Promise<readonly OriginValues[]> {
  const { endpoint, args } = question;
  const found = await reader.find({ ...seriesOfQuestion(endpoint, args), exact: true });
  if (found.length === 0) throw notMirrored(question);
  const selection: Selection = {
    ...(!isWhole && { from: String(args.start_date) }),
    to: String(args.end_date),
    ...(asOf && { asOf }),
  };
  return Promise.all(
    found.map(async (series) => {
      const isKnown = asOf === undefined || (await knowsStateOf(series, asOf, reader));
      const rows = isKnown ? await reader.rows(series, selection) : [];
      const values = rows.map(({ key, text }) => [String(key[0]), rawAt(fieldsOf(text), 'val') ?? 'null'] as const);
      const { to: _, from: __, ...then } = selection;
      const [last] = isKnown ? await reader.rows(series, then, { limit: 1, offset: 0 }) : [];
      const newest = last ? String(last.key[0]) : null;
      return { name: nameOfOrigin(series), isKnown, values: new Map(values), newest };
    }),
  );
}

const nameOfOrigin = ({ origin }: StoredSeries): string => origin.replace(/^import:/, '');

/** An origin without a row of the date has null there. */
function rowText(date: string, origins: readonly OriginValues[]): JsonText {
  const texts = origins.map(({ values }) => values.get(date) ?? 'null');
  const numbers = new Set(texts.filter((text) => text !== 'null').map(Number));
  const cells = origins.map(({ name }, place) => `${JSON.stringify(name)}:${texts[place]}`);
  return asJsonText(`{"date":"${date}",${cells.join(',')},"differs":${numbers.size > 1}}`);
}
