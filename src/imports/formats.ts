/** Every format that can be imported. */
import { MacroError } from '../errors.ts';
import type { ImportedFile, ImportFormat } from './format.ts';
import { bankOfCanada, bocYields } from './formats/bank-of-canada.ts';
import { bankRate, sonia } from './formats/bank-of-england.ts';
import { blsPrices } from './formats/bls-prices.ts';
import { cftcFinancial, cftcLegacy } from './formats/cftc.ts';
import { ecb } from './formats/ecb.ts';
import { ecbData, ecbSeries } from './formats/ecb-keys.ts';
import { eurostatPrices } from './formats/eurostat-prices.ts';
import { h10, h15 } from './formats/federal-reserve-board.ts';
import { bundesbank, nbp, rba } from './formats/fx-tables.ts';
import { philadelphia } from './formats/philadelphia.ts';
import { pinkSheet } from './formats/pink-sheet.ts';
import { alfredPeriods } from './formats/stlouisfed/alfred-periods.ts';
import { alfred, fred } from './formats/stlouisfed/fred.ts';
import { fredMd } from './formats/stlouisfed/fred-md.ts';
import { treasury } from './formats/treasury.ts';
import { refuse, someOf } from './read/cells.ts';
import { sheetsOf } from './read/workbook.ts';

export const IMPORT_FORMATS: readonly ImportFormat[] = [
  ...[ecb, ecbData, ecbSeries, bundesbank, bankOfCanada, rba, nbp, h10],
  ...[fred, alfred, alfredPeriods, philadelphia, fredMd, blsPrices, eurostatPrices],
  ...[treasury, h15, bocYields],
  ...[cftcLegacy, cftcFinancial, pinkSheet, sonia, bankRate],
];

/** The format of a name as typed; undefined when there is none. */
export function formatNamed(id: string): ImportFormat | undefined {
  return IMPORT_FORMATS.find((format) => format.id === id);
}

/** Beginnings of files that people take for tables. */
const NO_TABLES: readonly (readonly [begins: RegExp, kind: string])[] = [
  [/^(?:.{0,3}PNG\r?\n|GIF8|.{2,6}JFIF)/s, 'a picture'],
  [/^%PDF-/, 'a PDF'],
];

/** The format that a file shows by its beginning. @throws MacroError of kind `usage`. */
export function recogniseFormat(file: ImportedFile): ImportFormat {
  const found = IMPORT_FORMATS.filter((format) => format.recognises(file));
  const [only, further] = found;
  if (only && !further) return only;
  const names = (further ? found : IMPORT_FORMATS).map(({ id }) => id).join(', ');
  if (further)
    throw new MacroError('usage', `${file.name} could be a file of several formats: ${names}.`, {
      code: 'bad_import',
      hint: 'Name one: macro import FORMAT FILE.',
    });
  if (file.isWorkbook) {
    const sheets = someOf([...sheetsOf(file.bytes()).keys()]);
    throw refuse(`it is a workbook with no sheet that a format has (philadelphia, pink-sheet): ${sheets}.`, {
      hint: 'Save a sheet with a column of dates and one of values as CSV: macro import csv --help says how it is read.',
    });
  }
  const [, kind] = NO_TABLES.find(([begins]) => begins.test(file.head)) ?? [];
  if (kind !== undefined) throw refuse(`it is ${kind}, not a table.`);
  throw refuse(`its beginning is that of no format that is known (${names}).`, { line: 1, mend: [] });
}

/** The rule by which the importer of a request (`import FORMAT FILE ...`) knows when a row was published. */
export function ruleOfRequest(request: string): string | undefined {
  const [command, id = ''] = request.split(' ');
  return command === 'import' ? formatNamed(id)?.publication.rule : undefined;
}
