import { basename, resolve } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '../../../contract/json/json.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import type { ImportFormat } from '../../../imports/format.ts';
import { IMPORT_FORMATS } from '../../../imports/formats.ts';
import { csvFormat, dateSpellingOf } from '../../../imports/generic/csv-format.ts';
import { type CsvMapping, MAPPING_MEMBERS, readMapping } from '../../../imports/generic/mapping.ts';
import type { CsvTarget } from '../../../imports/generic/targets.ts';
import { runImport } from '../../../imports/import.ts';
import { type OpenedFile, openFile } from '../../../imports/read/open-file.ts';
import { surveyFile } from '../../../imports/survey.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import type { App } from '../../app/app.ts';
import { isOn, manyOption, type Options, textOption } from '../../parse/options.ts';
import { nameOfSeries } from '../../print/series.ts';
import type { Call } from '../command.ts';
import { plainCommands, readPlainQuestion } from '../endpoint/ask-parts.ts';
import { onlyWord } from '../require.ts';
import { bytesOfFile, withRetyped, writeSurveys } from './files.ts';

/** Imports a table as its mapping says, or shows what it would import. @throws MacroError of kind `usage`. */
export async function importCsv(app: App, call: Call): Promise<void> {
  const name = onlyWord(call, 'import csv', 'FILE (- for standard input)');
  const now = app.platform.clock.now();
  try {
    await importTable(app, { name, call, now });
  } catch (error) {
    throw withRetyped(error, { app, name, options: call.options });
  }
}

async function importTable(
  app: App,
  { name, call, now }: { readonly name: string; readonly call: Call; readonly now: number },
): Promise<void> {
  const described = readMapping({ ...mappingFile(app, call.options), ...typedMembers(call.options) });
  if (IMPORT_FORMATS.some(({ publisher }) => publisher === described.publisher))
    throw new MacroError('usage', `The publisher ${described.publisher} has a format of its own.`, {
      code: 'bad_option',
      hint: 'Import its file without csv, or give another --publisher.',
    });
  const file = openFile(await bytesOfFile(app, name));
  const mapping = { ...described, dateFormat: described.dateFormat ?? dateSpellingOf(file, described) };
  const format = csvFormat(mapping, (question) => readTarget(question, mapping, now));
  const survey = surveyFile(format, file, now);
  const areNewer = isOn(call.options, 'newer');
  if (isOn(call.options, 'preview')) {
    // Everything that the import would refuse is refused here.
    await runImport({ surveys: [survey], mirror: await app.rehearsal(), now, areNewer, isRehearsal: true });
    await preview(app, format, file);
  } else await writeSurveys(app, [survey], { now, areNewer });
}

function mappingFile(app: App, options: Options): JsonObject {
  const name = textOption(options, 'mapping');
  if (name === undefined) return {};
  const parsed = jsonOf(app.platform.files.readText(resolve(app.platform.cwd, name)));
  if (parsed !== undefined && isJsonObject(parsed)) return parsed;
  throw new MacroError('usage', `${basename(name)} is no JSON object.`, {
    code: 'bad_mapping',
    hint: `Members: ${MAPPING_MEMBERS.join(', ')}.`,
  });
}

function jsonOf(text: string) {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function typedMembers(options: Options): JsonObject {
  const given: Record<string, string | readonly string[] | true> = {};
  if (isOn(options, 'wide')) given.wide = true;
  for (const name of MAPPING_MEMBERS) {
    if (name === 'wide') continue;
    const value = name === 'missing' ? manyOption(options, name) : textOption(options, name);
    if (value !== undefined && value.length > 0) given[name] = value;
  }
  return given;
}

const SHOWN = 10;

async function preview(app: App, format: ImportFormat, file: OpenedFile): Promise<void> {
  const rows: { series: string; date: string; row: string; known_from: string }[] = [];
  // As in an import: a file that came before the default release time shows that its values were public by then.
  const now = Math.floor(app.platform.clock.now() / 1000);
  for (const { date, rows: dated } of format.read(file)) {
    for (const { series, row } of dated) {
      const known = format.publication.revised === 'never' ? format.publication.at(date) : undefined;
      rows.push({
        series: nameOfSeries({ endpoint: series.endpoint, scope: series.scope, origin: '' }),
        date,
        row: row.text,
        known_from: known === undefined ? format.publication.rule : isoSeconds(Math.min(known, now)),
      });
    }
    if (rows.length >= SHOWN) break;
  }
  await app.list({ rows, title: [`First rows of ${file.name}; nothing was written`] });
}

/** The series that a question is about, as the target of a table. @throws MacroError of kind `usage`. */
function readTarget(question: string, { unit, publisher }: CsvMapping, now: number): CsvTarget {
  const parsed = readPlainQuestion(question.trim().split(/\s+/), {}, now);
  if (!parsed)
    throw new MacroError('usage', `'${question}' is no question about one number for each date.`, {
      code: 'bad_option',
      hint: `--as takes one about ${plainCommands().join(', ')}, such as --as 'announcements usd inflation'.`,
    });
  const { endpoint, args } = parsed.question;
  const { scope } = seriesOfQuestion(endpoint, args);
  return {
    endpoint: endpoint.id,
    scope,
    envelope: {
      ...scope,
      source: publisher,
      ...(unit !== undefined && { unit }),
      data_quality: { source_name: publisher, source_type: 'private', is_official: false },
    },
    vintages: endpoint.mirror?.vintages,
    // Units of the quote for one unit of the base.
    isRate: 'quote' in scope,
  };
}
