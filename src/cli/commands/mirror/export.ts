import type { Endpoint } from '../../../contract/endpoint.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import { type Mirror, VIEW_PARTS, type ViewPart } from '../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { tableOf } from '../../../mirror/rules/tables.ts';
import { isTextOf, type View, viewsOf } from '../../../mirror/rules/views.ts';
import { type App, dataKindNote, pathFor } from '../../app/app.ts';
import { isOn, readChoice, textOption } from '../../parse/options.ts';
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

/** Writes the rows of one kind of series into a file, page by page from one state, and says how many. A complete file gets its name. */
async function runExport(app: App, call: Call): Promise<void> {
  const { files, clock } = app.platform;
  const { path, format } = targetOf(app, call);
  const { mirror } = await requireMirror(app);
  const { endpoint, series } = await selectionOf(mirror, call.words);
  const part = readChoice(call.options, 'part', VIEW_PARTS) ?? 'current';
  const view = viewOf(endpoint, part);
  const withText = format !== 'parquet' || isOn(call.options, 'with-text');
  const write = async () => {
    const file = files.grow(path);
    try {
      const facts = await factsOf(app, mirror, { view, words: call.words, series });
      const places = [...view.columns.keys()].filter(
        (i) => withText || !isTextOf(view.columns[i - 1], view.columns[i]),
      );
      const columns = places.flatMap((place) => view.columns[place] ?? []);
      const put = (bytes: Uint8Array) => file.write(bytes);
      const writer = await tableWriter(format, { columns, facts, now: clock.now(), write: put });
      const bar = openProgressBar(app, clock);
      let [rows, whole] = [0, 0];
      // Nobody knows how many rows there are of other parts.
      if (part === 'current') for (const one of series) whole += await mirror.count(one, {});
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
  };
  const done = await app.change(`write the rows of ${series.length} series into ${path}`, write);
  if (done) await app.note(`${done.result} rows of ${series.length} series are in ${path}.`, 'exported');
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
async function selectionOf(mirror: Mirror, words: readonly string[]) {
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
