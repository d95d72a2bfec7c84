import { zonedInstants } from '../../../contract/time/moments.ts';
import { dateToMs } from '../../../contract/time/time.ts';
import type { MacroError } from '../../../errors.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { periodEnd } from '../../generic/release-rule.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import { type PublishedWriter, writerOf } from '../../read/published-series.ts';
import { YEAR_ON_YEAR } from '../../read/transforms.ts';

/** Harmonised consumer prices of Eurostat, in codes. */
export const eurostatPrices: ImportFormat = {
  id: 'eurostat-prices',
  publisher: 'Eurostat',
  doc: 'Harmonised index of consumer prices of Eurostat, SDMX-CSV with codes (estat_prc_hicp_midx.csv)',
  terms: 'CC BY 4.0: name Eurostat.',
  publication: { revised: 'often', rule: 'known from the LAST UPDATE of the file, Brussels time' },
  endsLastLine: true,
  download: {
    page: 'https://ec.europa.eu/eurostat/databrowser/view/prc_hicp_midx',
    address:
      'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data/prc_hicp_midx/M.I15.CP00.{id}?format=SDMX-CSV',
    file: 'prc_hicp_midx_{id}.csv',
    ids: { doc: 'areas: EA20, CH, DK, NO, SE', pattern: /^[A-Z]{2}(?:\d{2})?$/, defaults: ['EA20'] },
    maxBytes: 8_000_000,
    appears: onWorkingDays('11:00', 'Europe/Brussels', 30),
    termsPage: 'https://ec.europa.eu/eurostat/help/copyright-notice',
    seen: { on: '2026-04-07', by: 'a public plan that checked the service on that day' },
  },
  recognises: ({ head }) => /^\W*DATAFLOW"?,"?LAST UPDATE/.test(head) && head.includes('PRC_HICP_MIDX'),
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

const NEEDED = ['LAST UPDATE', 'freq', 'unit', 'coicop', 'geo', 'TIME_PERIOD', 'OBS_VALUE'];

function* readIndex(file: ImportedFile): Generator<FileLine> {
  let places: ReadonlyMap<string, number> | undefined;
  /** By currency: an index on another base or of another area is another series, and a file may have one of them. */
  const open = new Map<string, OpenIndex>();
  let width = 0;
  for (const { cells, line } of file.records({ separator: ',' })) {
    if (!places) {
      const lacking = NEEDED.find((title) => !cells.includes(title));
      if (lacking !== undefined) throw refuse(`its header has no column '${lacking}'.`, { line });
      places = new Map(cells.map((title, place) => [title, place]));
      width = cells.length;
      continue;
    }
    if (cells.length !== width) throw refuse(`it has ${cells.length} cells and the header has ${width}.`, { line });
    const known = places;
    const [update = '', freq, unit = '', coicop, geo = '', period = '', text = ''] = NEEDED.map(
      (title) => cells[known.get(title) ?? -1],
    );
    if (freq !== 'M' || !/^I\d\d$/.test(unit))
      throw refuse(`it has '${freq}' of '${unit}', not months of an index. Download codes, not labels.`, { line });
    const date = readDate({ text: period, line }, 'YYYY-MM');
    const epoch = updateIn(update, line);
    const val = text === '' || text === ':' ? undefined : readNumber({ text, line, of: geo });
    const currency = CURRENCIES.get(geo);
    if (currency === undefined || coicop !== 'CP00') continue;
    const index = open.get(currency) ?? { geo, unit, writer: indexWriter(currency, geo, unit) };
    if (index.geo !== geo || index.unit !== unit) throw otherIndex({ geo, unit }, index, { currency, line });
    open.set(currency, index);
    const { writer } = index;
    const steps = val === undefined ? [] : [{ epoch, val, isFirst: false }];
    const rows = writer.rowsOf({ date, line, steps, precision: 'day' });
    yield { number: line, date: periodEnd(date, 'month'), rows, names: writer.names };
  }
}

interface IndexCodes {
  readonly geo: string;
  readonly unit: string;
}

interface OpenIndex extends IndexCodes {
  readonly writer: PublishedWriter;
}

function otherIndex(
  found: IndexCodes,
  before: IndexCodes,
  { currency, line }: { readonly currency: string; readonly line: number },
): MacroError {
  const isArea = found.geo !== before.geo;
  const [one, other] = isArea ? [found.geo, before.geo] : [found.unit, before.unit];
  const legal = isArea
    ? [...CURRENCIES].filter(([, of]) => of === currency).map(([geo]) => geo)
    : ['I96', 'I05', 'I15', 'I25'];
  return refuse(
    `it has ${one} and a line before has ${other}. ${isArea ? 'Another area' : 'Another base'} is another series.`,
    { line, hint: `Download one ${isArea ? 'geo' : 'unit'} of ${currency}: ${legal.join(', ')}.` },
  );
}

function indexWriter(currency: string, geo: string, unit: string): PublishedWriter {
  const name = `Harmonised consumer prices (${geo})`;
  return writerOf({
    currency,
    source: 'Eurostat',
    sourceUrl: 'https://ec.europa.eu/eurostat/databrowser/view/prc_hicp_midx',
    sourceSeriesId: `PRC_HICP_MIDX.M.${unit}.CP00.${geo}`,
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

/** `31/10/25 11:00:00` on the clock of Brussels. */
function updateIn(text: string, line: number): number {
  const [, day, month, year, hours, minutes, seconds] =
    /^(\d\d)\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text) ?? [];
  if (year === undefined) throw refuse(`'${text}' is no time such as 31/10/25 11:00:00.`, { line });
  const date = readDate({ text: `${day}/${month}/20${year}`, line }, 'DD/MM/YYYY');
  return zonedInstants('Europe/Brussels', Number(hours) + Number(minutes) / 60)(dateToMs(date)) + Number(seconds);
}
