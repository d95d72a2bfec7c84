/** Official publishers whose files can be imported, and series that several of them pass on. */

/** By the short names of their origins, in the order in which they speak: that of docs/imports.md. */
export const OFFICIAL_PUBLISHERS: readonly string[] = [
  ...['ECB', 'Bundesbank', 'BoC', 'RBA', 'NBP', 'FRB'],
  ...['FRED', 'ALFRED', 'Treasury', 'H.15', 'Philadelphia Fed', 'CFTC', 'World Bank'],
  ...['FRED-MD', 'BLS', 'Eurostat', 'Bank of England'],
];

/** Undefined for a private table. */
export function placeOfPublisher(short: string): number | undefined {
  const place = OFFICIAL_PUBLISHERS.indexOf(short);
  return place < 0 ? undefined : place;
}

/** Ids of one series at publishers other than FRED: the same adjustment, unit and base. */
const AT_FRED: ReadonlyMap<string, string> = new Map([
  // Real-time data set of the Philadelphia Fed.
  ['EMPLOY', 'PAYEMS'],
  ['ROUTPUT', 'GDPC1'],
  // Consumer prices of the BLS.
  ['CUSR0000SA0', 'CPIAUCSL'],
  ['CUUR0000SA0', 'CPIAUCNS'],
  ['CUSR0000SA0L1E', 'CPILFESL'],
  ['CUUR0000SA0L1E', 'CPILFENS'],
]);

/** The id under which FRED has a series; its own where FRED has none. */
export const sameSeriesAs = (id: string): string => AT_FRED.get(id) ?? id;
