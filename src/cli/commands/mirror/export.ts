import type { Endpoint } from '../../../contract/endpoint.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import { type Mirror, VIEW_PARTS, type ViewPart } from '../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { tableOf } from '../../../mirror/rules/tables.ts';
import { isTextOf, type View, viewsOf } from '../../../mirror/rules/views.ts';
import { type App, dataKindNote, pathFor } from '../../app/app.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { tableWriter } from '../../print/file.ts';
import { EXPORTS, type ExportFormat, exportFormat } from '../../print/format.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import { chosenBy, noneChosen, seriesByEndpoint } from '../../print/series.ts';
import type { Call, CommandDeclaration } from '../command.ts';
import { GENERAL, WITH_TEXT } from '../common-options.ts';
import { requireMirror } from '../require.ts';

export default [
  {
    path: ['mirror', 'export'],
    summary: 'Write rows of the mirror with their provenance into a CSV, NDJSON, Parquet or XLSX file',
    words: `words... (<selection>): series whose name has all of these words; of one kind`,
    options: [
      `--part WORD (${VIEW_PARTS.join('|')}): rows as they are, what they were before, or the publisher’s vintages; default current
      -o, --output FILE [Rows and formats]: the file; its ending gives the format (.csv .ndjson .parquet .xlsx)`,
      WITH_TEXT,
      // The ending of the file is the format.
      ...GENERAL.filter(({ name }) => name !== 'format'),
    ],
    changes: true,
    checksFile: true,
    examples: ['mirror export fx eur usd -o eurusd.parquet', 'mirror export announcements usd -o usd.xlsx'],
    run: runExport,
  },
] satisfies readonly CommandDeclaration[];

/** Rows in memory at a time. */
const PAGE = 2000;

/** Writes the rows of one kind of series into a file, page by page from one state. A complete file gets its name. */
async function runExport(app: App, call: Call): Promise<void> {
  const { path, format } = targetOf(app, call);
  const { mirror } = await requireMirror(app);
  const { endpoint, series } = await selectionOf(mirror, call.words);
  const part = readPart(textOption(call.options, 'part') ?? 'current');
  const view = viewOf(endpoint, part);
  const withText = format !== 'parquet' || isOn(call.options, 'with-text');
  const done = await app.change(`write the rows of ${series.length} series into ${path}`, () =>
    writeExport(app, mirror, { path, format, endpoint, series, part, view, withText, words: call.words }),
  );
  if (done) await app.note(`${done.result} rows of ${series.length} series are in ${path}.`, 'exported');
}

interface Exported {
  readonly path: string;
  readonly format: ExportFormat;
  readonly endpoint: Endpoint;
  readonly series: readonly StoredSeries[];
  readonly part: ViewPart;
  readonly view: View;
  readonly withText: boolean;
  readonly words: readonly string[];
}

/** Gives how many rows it wrote. */
async function writeExport(app: App, mirror: Mirror, what: Exported): Promise<number> {
  const { path, format, endpoint, series, part, view, withText, words } = what;
  const file = app.platform.files.grow(path);
  try {
    const facts = await factsOf(app, mirror, { view, words, series });
    const write = (bytes: Uint8Array) => file.write(bytes);
    const places = withText ? [...view.columns.keys()] : placesWithoutText(view.columns);
    const columns = places.flatMap((place) => view.columns[place] ?? []);
    const writer = await tableWriter(format, { columns, facts, now: app.platform.clock.now(), write });
    const bar = openProgressBar(app, app.platform.clock);
    const whole = await rowsIn(mirror, series, part);
    let rows = 0;
    const ids = series.map(({ id }) => id);
    const ask = { endpoint: endpoint.id, part, series: ids, page: PAGE, signal: app.signal };
    await mirror.viewRows(ask, (page) => {
      writer.write(withText ? page : page.map((row) => places.map((place) => row[place] ?? null)));
      rows += page.length;
      bar.show({ rows, ...(whole > 0 && { share: rows / whole }) });
    });
    writer.end();
    file.finish();
    return rows;
  } finally {
    file.discard();
  }
}

/** Indexes of the columns without the text columns of numbers. */
function placesWithoutText(columns: View['columns']): readonly number[] {
  return [...columns.keys()].filter((i) => !isTextOf(columns[i - 1], columns[i]));
}

/** Rows that an export will have; 0 where nobody knows, which is so for all but the current ones. */
async function rowsIn(mirror: Mirror, series: readonly StoredSeries[], part: ViewPart): Promise<number> {
  if (part !== 'current') return 0;
  let rows = 0;
  for (const one of series) rows += await mirror.count(one, {});
  return rows;
}

function targetOf(app: App, { options }: Call): { path: string; format: ExportFormat } {
  const target = textOption(options, 'output');
  if (target === undefined || target === '-')
    throw new MacroError('usage', 'An export is a file.', {
      code: 'no_file',
      hint: `Name one with -o; its ending gives the format: ${EXPORTS.map((one) => `.${one}`).join(', ')}.`,
    });
  return { format: exportFormat(target), path: pathFor(target, app.platform) };
}

/** The series that the words name; of one endpoint, for a file has one set of columns. */
async function selectionOf(
  mirror: Mirror,
  words: readonly string[],
): Promise<{ endpoint: Endpoint; series: readonly StoredSeries[] }> {
  const found = await mirror.snapshot((reader) => seriesByEndpoint(reader, chosenBy(words)));
  const [only] = found;
  if (!only) throw noneChosen(words);
  if (found.length === 1) return only;
  const kinds = found.map(({ endpoint }) => (endpoint.cli?.words ?? [endpoint.id]).join(' '));
  // The words of one kind may be the beginning of another's: the kind that was typed whole is meant.
  const typed = found.filter((_, i) => kinds[i] === words.slice(0, kinds[i]?.split(' ').length).join(' '));
  if (typed.length === 1 && typed[0]) return typed[0];
  throw new MacroError('usage', `A file has rows of one kind, and these are of ${found.length} kinds.`, {
    code: 'several_kinds',
    hint: `Name one of them: ${kinds.join(', ')}.`,
  });
}

function readPart(word: string): ViewPart {
  const known = VIEW_PARTS.find((one) => one === word);
  if (known) return known;
  throw new MacroError('usage', `There is no part '${word}'.`, {
    code: 'unknown_part',
    hint: hintFor(word, VIEW_PARTS, `Parts are ${VIEW_PARTS.join(', ')}.`),
  });
}

/** Its columns: they are the same whatever keeps the mirror. */
function viewOf(endpoint: Endpoint, part: ViewPart): View {
  if (!endpoint.mirror) throw new Error(`A mirror does not store ${endpoint.id}`);
  const view = viewsOf(tableOf(endpoint.id, endpoint.mirror))[VIEW_PARTS.indexOf(part)];
  if (view) return view;
  throw new MacroError('usage', `The rows of ${endpoint.cli?.words.join(' ') ?? endpoint.id} list no vintages.`, {
    code: 'no_vintages',
    hint: 'Their parts are current and superseded.',
  });
}

async function factsOf(
  app: App,
  mirror: Mirror,
  { view, words, series }: { view: View; words: readonly string[]; series: readonly StoredSeries[] },
): Promise<Readonly<Record<string, string>>> {
  const stamp = await mirror.stamp();
  const nature = await dataKindNote(app, mirror);
  return {
    generator: 'macro mirror export',
    generated_at: isoSeconds(Math.floor(app.platform.clock.now() / 1000)),
    selection: words.join(' '),
    view: view.name,
    origin: [...new Set(series.map(({ origin }) => origin))].join(', '),
    service: stamp.service ?? '',
    ...nature,
    mirror: stamp.id,
  };
}
