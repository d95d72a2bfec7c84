import type { MacroError } from '../../errors.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import { periodEnd } from '../generic/release-rule.ts';
import { readDate, readNumber, refuse } from '../read/cells.ts';
import { type PublishedWriter, writerOf } from '../read/published-series.ts';
import { endOfDay } from '../read/release-days.ts';
import { sdmxObservations } from '../read/sdmx-csv.ts';
import { YEAR_ON_YEAR } from '../read/transforms.ts';
import { readClock } from '../read/wall-clock.ts';

/** Harmonised consumer prices of Eurostat, in codes. */
export const eurostatPrices: ImportFormat = {
  id: 'eurostat-prices',
  publisher: 'Eurostat',
  doc: 'Harmonised index of consumer prices of Eurostat, SDMX-CSV with codes (prc_hicp_minr; prc_hicp_midx until 2025)',
  terms: 'CC BY 4.0: name Eurostat.',
  publication: { revised: 'often', rule: 'known from the LAST UPDATE of the file, Brussels time' },
  download: {
    page: 'https://ec.europa.eu/eurostat/databrowser/view/prc_hicp_minr',
    address:
      'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data/prc_hicp_minr/M.I25.TOTAL.{id}?format=SDMX-CSV',
    file: 'prc_hicp_minr_{id}.csv',
    ids: { doc: 'areas: EA, CH, DK, NO, SE', pattern: /^[A-Z]{2}(?:\d{2})?$/, defaults: ['EA'] },
    appears: onWorkingDays('11:00', 'Europe/Brussels', 30),
    termsPage: 'https://ec.europa.eu/eurostat/help/copyright-notice',
  },
  recognises: ({ head }) => /^\W*DATAFLOW"?,"?LAST UPDATE/.test(head) && /PRC_HICP_MI(?:DX|NR)/.test(head),
  read: readIndex,
};

/** Places whose prices are those of a currency. A country of the euro is none. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ...['EA', 'EA19', 'EA20', 'EA21'].map((geo) => [geo, 'EUR'] as const),
  ['CH', 'CHF'],
  ['DK', 'DKK'],
  ['NO', 'NOK'],
  ['SE', 'SEK'],
]);

/** Data sets by their code of all items: that of the classification of 2018 took the place of the first in 2026. */
const DATA_SETS: Readonly<Record<string, string>> = { CP00: 'PRC_HICP_MIDX', TOTAL: 'PRC_HICP_MINR' };

function* readIndex(file: ImportedFile): Generator<FileLine> {
  /** By currency: an index on another base or of another area is another series, and a file may have one of them. */
  const open = new Map<string, OpenIndex>();
  const codes = /coicop18/.test(file.head) ? 'coicop18' : 'coicop';
  const needed = ['LAST UPDATE', 'freq', 'unit', codes, 'geo'];
  for (const { cell, line, period, text, unit: other } of sdmxObservations(file, needed)) {
    const [update = '', freq, unit = '', coicop = '', geo = ''] = needed.map(cell);
    if (freq !== 'M' || !/^I\d\d$/.test(unit) || other !== undefined)
      throw refuse(`it has '${freq}' of '${other ?? unit}', not months of an index. Download codes, not labels.`, {
        line,
      });
    const date = readDate({ text: period, line }, 'YYYY-MM');
    const epoch = updateIn(update, line);
    const val = text === undefined ? undefined : readNumber({ text, line, of: geo });
    const currency = CURRENCIES.get(geo);
    if (currency === undefined || DATA_SETS[coicop] === undefined) continue;
    const index = open.get(currency) ?? { geo, unit, writer: indexWriter(currency, { geo, unit, coicop }), last: '' };
    if (index.geo !== geo) throw otherIndex(geo, index.geo, areasOf(currency), line);
    if (index.unit !== unit) throw otherIndex(unit, index.unit, BASES, line);
    if (date <= index.last) throw refuse(`${date} stands behind ${index.last}.`, { line });
    open.set(currency, { ...index, last: date });
    const { writer } = index;
    const steps = val === undefined ? [] : [{ epoch, val, isFirst: false }];
    const rows = writer.rowsOf({ date, line, steps, precision: 'day' });
    yield { number: line, date: periodEnd(date, 'month'), rows, names: writer.names };
  }
}

interface OpenIndex {
  readonly geo: string;
  readonly unit: string;
  readonly writer: PublishedWriter;
  /** A change needs the months before: they come first. */
  readonly last: string;
}

function otherIndex(found: string, before: string, legal: readonly string[], line: number): MacroError {
  const isArea = CURRENCIES.has(found);
  return refuse(
    `it has ${found} and a line before has ${before}. ${isArea ? 'Another area' : 'Another base'} is another series.`,
    { line, hint: `Download one ${isArea ? 'geo' : 'unit'} of a currency: ${legal.join(', ')}.` },
  );
}

const BASES = ['I96', 'I05', 'I15', 'I25'];
const areasOf = (currency: string) => [...CURRENCIES].flatMap(([geo, of]) => (of === currency ? geo : []));

function indexWriter(
  currency: string,
  { geo, unit, coicop }: Readonly<Record<'geo' | 'unit' | 'coicop', string>>,
): PublishedWriter {
  const name = `Harmonised consumer prices (${geo})`;
  return writerOf({
    currency,
    source: 'Eurostat',
    sourceUrl: 'https://ec.europa.eu/eurostat/databrowser/view/prc_hicp_minr',
    sourceSeriesId: `${DATA_SETS[coicop]}.M.${unit}.${coicop}.${geo}`,
    adjustment: 'NSA',
    period: 'month',
    outputs: [
      { indicator: 'inflation', name, unit: '%YoY', transform: YEAR_ON_YEAR },
      {
        indicator: 'inflation',
        name: `${name}, index`,
        unit: `Index ${unit.slice(1)}=100`,
        selectors: { frequency: 'level' },
      },
    ],
  });
}

/** `31/10/25 11:00:00` on the clock of Brussels, or a day. */
function updateIn(text: string, line: number): number {
  const [, day, month, year, clock] = /^(\d\d)\/(\d\d)\/(\d\d)(?: (\S+))?$/.exec(text) ?? [];
  if (year === undefined) throw refuse(`'${text}' is no time such as 31/10/25 11:00:00.`, { line });
  const date = readDate({ text: `${day}/${month}/20${year}`, line }, 'DD/MM/YYYY');
  return clock === undefined ? endOfDay(date) : readClock({ date, clock, line }, 'Europe/Brussels');
}
