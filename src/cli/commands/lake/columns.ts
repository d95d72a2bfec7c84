import { type JsonObject, objectIn, parseObject } from '../../../contract/json/json.ts';
import { propertiesOf } from '../../../contract/json/schema.ts';
import type { KeyValue, KnownRow, KnownText, StoredSeries } from '../../../mirror/api/series.ts';
import { parseStoredRow, valueIn } from '../../../mirror/rules/columns.ts';
import type { Table } from '../../../mirror/rules/tables.ts';
import { isTextOf, viewsOf } from '../../../mirror/rules/views.ts';
import { cellOf, type FileCell, type TypedColumn } from '../../print/file.ts';
import { firstName } from '../../print/listing-view.ts';
import { type Fields, fieldsOf, rawAt } from '../../print/rows.ts';

interface LakeRow {
  readonly series: StoredSeries;
  readonly key: readonly KeyValue[];
  readonly known: Pick<KnownText, 'commit' | 'seenAt' | 'released'> & Partial<KnownText>;
  readonly row: JsonObject;
  readonly fields: Fields;
  readonly publisher: string | null;
  readonly nature: string;
  /** The last commit of the run that writes it. */
  readonly run: number;
}

interface LakeColumn extends TypedColumn {
  cell(of: LakeRow): FileCell;
}

/** A kind of rows as the lake has it. */
export type LakeKind = ReturnType<typeof lakeKind>;

/** Columns of a view that the lake has none of: they change without a commit, or belong to files of their own. */
const LEFT_OUT = new Set(['access', 'request', 'checked_at', 'series', 'row']);

const column = (name: string, type: TypedColumn['type'], cell: LakeColumn['cell']): LakeColumn => ({
  ...{ name, type, cell },
});

const PROVENANCE: readonly LakeColumn[] = [
  column('publisher', 'text', ({ publisher }) => publisher),
  column('origin', 'text', ({ series }) => series.origin),
  column('nature', 'text', ({ nature }) => nature),
  column('released_at', 'seconds', ({ known }) => known.released ?? null),
  column('seen_at', 'seconds', ({ known }) => Math.floor(known.seenAt / 1000)),
  column('commit_number', 'integer', ({ known }) => known.commit),
];

const TIMES: readonly LakeColumn[] = [
  column('series', 'integer', ({ series }) => series.id),
  column('known_from', 'instant', ({ known }) => known.knownFrom ?? null),
  column('captured_from', 'instant', ({ known }) => known.capturedFrom ?? null),
  column('is_withdrawn', 'flag', ({ known }) => (known.text === undefined ? 1 : 0)),
  column('is_current', 'flag', ({ known }) => (known.isCurrent ? 1 : 0)),
  column('exported_to', 'integer', ({ run }) => run),
];

/** Names of the columns that say nothing of when a text was known. */
export function partColumns(columns: readonly TypedColumn[]): readonly string[] {
  const times = new Set(TIMES.map(({ name }) => name).filter((name) => name !== 'series'));
  return columns.map(({ name }) => name).filter((name) => !times.has(name));
}

/** The columns of a kind: those of its view, and when each text was known. */
export function lakeKind(table: Table, what: { readonly withText: boolean; readonly withRow: boolean }) {
  const { mapping } = table;
  const listed = viewsOf(table)[0]?.columns ?? [];
  const own = new Set(PROVENANCE.map(({ name }) => name));
  const names = listed.filter(
    ({ name }, i) => !own.has(name) && !LEFT_OUT.has(name) && (what.withText || !isTextOf(listed[i - 1], listed[i])),
  );
  const identity = [...new Set([...mapping.scope, ...table.key.map(({ name }) => name)])];
  const members = names.map(({ name, type }) => column(name, type, cellReader(table, { name, type })));
  const rowText = column('row', 'text', ({ known }) => known.text ?? null);
  const columns = [...members, ...PROVENANCE, ...(what.withRow ? [rowText] : []), ...TIMES];
  const name = mapping.view ?? mapping.table;
  return {
    ...{ name, table, columns },
    /** Columns of the key and of the arguments, by which rows of one date belong together. */
    identity,
    rows: (of: Pick<LakeRow, 'series' | 'nature' | 'run'>, { key, texts }: KnownRow) => {
      const [{ commit = 0, seenAt = 0 } = {}] = texts;
      // Without any text left, the newest run still says so, in place of what earlier runs said.
      const all =
        texts.length > 0 ? texts : [{ text: undefined, isCurrent: false, commit, seenAt, released: undefined }];
      return all.map((known) => {
        const row = parseStoredRow(known.text ?? '{}');
        const fields = fieldsOf(known.text ?? '{}');
        const whole = { ...of, key, known, row, fields, publisher: publisherOf(of.series, row) };
        return columns.map(({ cell }) => cell(whole));
      });
    },
  };
}

function cellReader(table: Table, { name, type }: TypedColumn): LakeColumn['cell'] {
  const { mapping, key, columns } = table;
  const place = key.findIndex((one) => one.name === name);
  if (mapping.scope.includes(name)) return (of) => of.series.scope[name] ?? of.key[place] ?? null;
  if (place >= 0) return (of) => of.key[place] ?? null;
  // The release is a column of its own: as a member it is what the row says.
  const stored = columns.find((one) => one.name === name && name !== mapping.release);
  if (stored) return ({ row }) => valueIn(row, stored);
  const spelled = columns.find((one) => `${one.name}_text` === name);
  const difference = mapping.differences?.[name];
  if (difference)
    return ({ fields }) => {
      const whole = (member: string) => cellOf('integer', rawAt(fields, member));
      const [from, less] = difference.map(whole);
      const isStated = fields.get(name) !== undefined;
      return isStated ? whole(name) : typeof from === 'bigint' && typeof less === 'bigint' ? from - less : null;
    };
  const isSpelled = type === 'text' && name.endsWith('_text') && !Object.hasOwn(propertiesOf(mapping.row ?? {}), name);
  const path = spelled?.from ?? (isSpelled ? name.slice(0, -'_text'.length) : name);
  return ({ fields }) => cellOf(type, rawAt(fields, path));
}

/** As the views tell it: the row names its source, else the members beside the rows do. */
function publisherOf({ envelope }: StoredSeries, row: JsonObject): string | null {
  const beside = envelope ? parseObject(envelope.text) : {};
  return firstName([row.source, beside.source, objectIn(beside.provenance).publisher]) ?? null;
}
