import { integerColumn, textField } from '../../contract/mapping.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { KeyValue } from '../api/series.ts';
import { keyId, type Prepared } from '../rules/columns.ts';
import {
  addTo,
  type Checksum,
  currentDigest,
  currentMarks,
  markOf,
  supersededDigest,
  takeFrom,
  vintageDigest,
} from '../rules/digest.ts';
import { shortener, wholeText } from '../rules/short-text.ts';
import { columnNamesOf } from '../rules/tables.ts';
import { knownAt, listedVintages } from '../rules/vintages.ts';
import {
  type Candidate,
  NOTHING_VANISHED,
  type RowDecisions,
  type StoredNear,
  saysNothingOfOthers,
  type Vanished,
  vanishedAmong,
  vanishQueries,
} from '../rules/write-rows.ts';
import { type EngineWork, type NewRows, type Place, together, type Writer, wait } from './engine.ts';

type Key = readonly KeyValue[];

export interface WritingPlace extends Place {
  readonly engine: Writer;
}

interface Asked {
  readonly rows: readonly Prepared[];
  readonly commit: PageCommit;
  /** Keys of rows that the page has under another key. */
  readonly replaced: readonly Key[];
  /** Nothing of the series was ever stored. */
  readonly isNew: boolean;
}

type StoredTexts = StoredNear['rows'];

const NONE: StoredTexts = new Map();

/** Reads what a page is compared with: rows under its keys, and rows that it may say are gone. */
export function* readNear(place: WritingPlace, asked: Asked): EngineWork<StoredNear> {
  const near = asked.isNew ? NONE : yield* storedNear(place, asked);
  const isSilent = asked.isNew || saysNothingOfOthers(asked.commit, near);
  const vanished = isSilent ? NOTHING_VANISHED : yield* findVanished(place, asked);
  const far = vanished.gone.filter((key) => !near.has(keyId(key)));
  return { vanished, rows: far.length === 0 ? near : new Map([...near, ...(yield* storedUnder(place, far))]) };
}

/** Writes the decisions, and updates the sums with them. `commit`: the number of the commit. */
export function* writeDecided(
  place: WritingPlace,
  { ended, refreshed, confirmed, added }: RowDecisions,
  how: { readonly commit: number; readonly keyed: 0 | 1; readonly checksum: Checksum },
): EngineWork<void> {
  const to = { ...place, ...how };
  if (ended.length > 0) yield* supersede(to, ended);
  if (refreshed.length > 0) refresh(to, refreshed);
  if (confirmed.length > 0) confirm(to, confirmed);
  if (added.length === 0) return;
  yield* insert(to, added);
  yield* keepVintages(to, added);
}

function* findVanished({ engine, table, series }: Place, { rows, commit }: Asked): EngineWork<Vanished> {
  const queries = vanishQueries(table)(series, rows, commit);
  const found = yield* together<readonly (readonly Candidate[])[]>(
    ...queries.map((query) => engine.tuples<[0 | 1, ...KeyValue[]]>(query)),
  );
  return vanishedAmong(found, rows, commit);
}

/** Stored rows near a page: the whole range of a listing, else rows under its keys, and replaced ones. */
function* storedNear(place: Place, { rows, commit, replaced }: Asked): EngineWork<StoredTexts> {
  const [a, b] = [rows.at(0)?.key[0], rows.at(-1)?.key[0]];
  if (commit.extent === 'adds' || a === undefined || b === undefined)
    return yield* storedUnder(place, [...rows.map(({ key }) => key), ...replaced]);
  const [first] = columnNamesOf(place.table.key);
  const bounds = a < b ? [a, b] : [b, a];
  const range = yield* storedWhere(place, `${first} >= ? and ${first} <= ?`, bounds);
  return replaced.length === 0 ? range : new Map([...range, ...(yield* storedUnder(place, replaced))]);
}

/** Stored rows under some keys, and some beside them. */
function* storedUnder(place: Place, keys: readonly Key[]): EngineWork<StoredTexts> {
  if (keys.length === 0) return NONE;
  const first = firstsOf(keys);
  const [, second] = columnNamesOf(place.table.key);
  // Thousands of events may be of one second. Two long lists would be looked up crosswise.
  if (first.length > 1 || second === undefined) return yield* storedWhere(place, amongFirst(place), [first]);
  const seconds = [...new Set(keys.map(([, value = '']) => value))];
  return yield* storedWhere(place, `${amongFirst(place)} and ${place.engine.among(second)}`, [first, seconds]);
}

const amongFirst = ({ engine, table }: Place): string => engine.among(columnNamesOf(table.key)[0] ?? '');

const firstsOf = (keys: readonly Key[]): Key => [...new Set(keys.map(([first = '']) => first))];

type StoredTuple = [string, number, number | null, 0 | 1, number | null, ...KeyValue[]];

function* storedWhere(
  { engine, table, series }: Place,
  condition: string,
  values: NewRows['rows'][number] | readonly Key[],
): EngineWork<StoredTexts> {
  const columns = [wholeText(table), 'seen', 'refreshed', 'keyed', 'assumed_release', ...columnNamesOf(table.key)];
  const sql = `select ${columns.join(', ')} from ${table.current} where series = ? and ${condition}`;
  const rows = yield* wait(engine.tuples<StoredTuple>({ sql, values: [series, ...values] }));
  return new Map(
    rows.map(([stored, seen, refreshed, keyed, assumed, ...key]) => [
      keyId(key),
      { text: stored, seen, refreshed, keyed, assumed },
    ]),
  );
}

interface Target extends WritingPlace {
  readonly checksum: Checksum;
  readonly commit: number;
  readonly keyed: 0 | 1;
}

/** Moves rows to the superseded ones, each as the next revision of its key. */
function* supersede(to: Target, ended: RowDecisions['ended']): EngineWork<void> {
  const { engine, table, series, checksum, commit } = to;
  const key = columnNamesOf(table.key).join(', ');
  const sql = `select max(revision), ${key} from ${table.superseded} where series = ? and ${amongFirst(to)} group by ${key}`;
  const values = [series, firstsOf(ended.map((row) => row.key))];
  const counted = yield* wait(engine.tuples<[number, ...KeyValue[]]>({ sql, values }));
  const revisions = new Map(counted.map(([revision, ...of]) => [keyId(of), revision]));
  const rows = ended.map(({ key: of, stored }) => {
    const revision = 1 + (revisions.get(keyId(of)) ?? 0);
    const digest = supersededDigest(of, { ...stored, revision, superseded: commit }, stored.text);
    takeFrom(checksum.current, currentDigest(of, stored.assumed, stored.text));
    addTo(checksum.superseded, digest);
    return [...of, revision, commit, markOf(digest)];
  });
  engine.supersede(to, rows);
}

/** The same observations in other texts. */
function refresh(to: Target, refreshed: RowDecisions['refreshed']): void {
  const { engine, table, checksum, commit, keyed } = to;
  const shorten = shortener(table);
  const rows = refreshed.map(({ row, stored }) => {
    const digest = currentDigest(row.key, stored.assumed, row.row.text);
    const mark = currentMarks({ ...stored, refreshed: commit, keyed })(digest);
    takeFrom(checksum.current, currentDigest(row.key, stored.assumed, stored.text));
    addTo(checksum.current, digest);
    return [...row.key, ...row.columns, commit, keyed, mark, shorten(row.key, row.row.text)];
  });
  engine.update(
    to,
    [...table.columns, integerColumn('refreshed'), integerColumn('keyed'), integerColumn('mark'), textField('text')],
    rows,
  );
}

/** An answer to a key confirms rows that came without one. */
function confirm(to: Target, confirmed: RowDecisions['confirmed']): void {
  const rows = confirmed.map(({ key, stored }) => {
    const digest = currentDigest(key, stored.assumed, stored.text);
    return [...key, 1, currentMarks({ ...stored, keyed: 1 })(digest)];
  });
  to.engine.update(to, [integerColumn('keyed'), integerColumn('mark')], rows);
}

/** Rows that were not stored. */
function* insert(
  { engine, table, series, checksum, commit: seen, keyed }: Target,
  added: readonly Prepared[],
): EngineWork<void> {
  const shorten = shortener(table);
  const mark = currentMarks({ seen, refreshed: null, keyed });
  const rows = added.map(({ key, columns, row }) => {
    const assumed = row.assumedRelease ?? null;
    const digest = currentDigest(key, assumed, row.text);
    addTo(checksum.current, digest);
    return [...key, ...columns, assumed, mark(digest), shorten(key, row.text)];
  });
  const columns = [
    ...table.key,
    ...table.columns,
    integerColumn('assumed_release'),
    integerColumn('mark'),
    textField('text'),
  ];
  yield* wait(engine.insert({ into: table.current, shared: { series, seen, keyed }, columns, rows }));
}

/** Stores the vintages in the lists of rows, each once however often it comes; only new ones are summed. */
function* keepVintages(
  { engine, table, series, checksum, commit }: Target,
  listing: readonly Prepared[],
): EngineWork<void> {
  const { vintages: member } = table.mapping;
  if (table.vintages === undefined || member === undefined) return;
  const digests = new Map<string, string>();
  const rows = listing.flatMap(({ key, row }) =>
    listedVintages(member, row.text).map((listed) => {
      const { epoch = null, value } = listed;
      const known = String(knownAt(listed));
      const observed = listed.observed === undefined ? null : String(listed.observed);
      const digest = vintageDigest(key, { known, observed, value, epoch, seen: commit }, listed.text);
      const id = identityOf([...key, known, value]);
      // The first of two equal entries stays.
      if (!digests.has(id)) digests.set(id, digest);
      return [...key, known, value, epoch, observed, commit, markOf(digest), listed.text];
    }),
  );
  const own = ['known', 'value', 'epoch', 'observed_ns', 'seen', 'mark', 'text'];
  const kept = yield* wait(
    engine.insert<KeyValue[]>({
      ...{ into: table.vintages, shared: { series }, rows, conflict: 'on conflict do nothing' },
      columns: [
        ...table.key,
        ...own.map((name) => (name === 'value' || name === 'text' ? textField : integerColumn)(name)),
      ],
      returning: [...columnNamesOf(table.key), 'cast(known as text)', 'value'].join(', '),
    }),
  );
  for (const id of kept) addTo(checksum.vintages, digests.get(identityOf(id)) ?? '');
}

/** One spelling for values before and after the database has stored them: half of a surrogate pair has no UTF-8. */
function identityOf(values: readonly KeyValue[]): string {
  return JSON.stringify(values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)));
}
