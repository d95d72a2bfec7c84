import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { MacroError } from '../../../errors.ts';
import type { SnapshotReader } from '../../../mirror/api/mirror.ts';
import type { App } from '../../app/app.ts';
import type { FileCell } from '../../print/file.ts';
import { physicalValue } from '../../print/parquet.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import { nameOfSeries } from '../../print/series.ts';
import type { Call } from '../command.ts';
import { onlyWord, requireMirror } from '../require.ts';
import type { LakeKind } from './columns.ts';
import { isSameHistory, type LakeStored, storedIn } from './export.ts';
import { type LakeFile, MANIFEST, type Manifest, readManifest } from './manifest.ts';

type Finding = Readonly<Record<'level' | 'file' | 'series' | 'finding' | 'detail', string | null>>;

const problem = (finding: string, where: Partial<Finding>): Finding => ({
  ...{ level: 'problem', file: null, series: null, detail: null },
  ...where,
  finding,
});

/** Problems end with exit 9. @throws MacroError of kind `notFound` or `verification`. */
export async function runLakeVerify(app: App, call: Call): Promise<void> {
  const folder = resolve(app.platform.cwd, onlyWord(call, 'lake verify', 'the folder of the lake'));
  const manifest = readManifest(app.platform.files, folder);
  if (!manifest)
    throw new MacroError('notFound', `There is no lake at ${folder}: it has no ${MANIFEST}.`, {
      code: 'no_lake',
      hint: 'macro lake export FOLDER writes one.',
    });
  const { mirror } = await requireMirror(app);
  const stamp = await mirror.stamp();
  const findings = manifest.files.flatMap((file) => checkBytes(app, folder, file));
  if (stamp.id !== manifest.mirror)
    findings.push(problem('another mirror', { detail: `the lake is of mirror ${manifest.mirror}` }));
  else
    findings.push(...(await mirror.snapshot((reader) => compare(app, reader, { manifest, folder, broken: findings }))));
  const problems = findings.filter(({ level }) => level === 'problem').length;
  await app.list({
    rows: findings,
    title: [folder, `${manifest.files.length} files`, `commit ${manifest.commit.number}`, `${problems} problems`],
    beside: { lake: folder, files: manifest.files.length, commit: manifest.commit.number, problems },
  });
  if (problems > 0)
    throw new MacroError('verification', `The lake ${folder} differs from the mirror.`, {
      code: 'lake_differs',
      hint: 'Rely on none of it: export the mirror into a new folder.',
    });
  await app.note(
    `${manifest.files.length} files hold what the mirror had at commit ${manifest.commit.number}.`,
    'verified',
  );
}

/** Is a file there, with the bytes that the manifest says? */
function checkBytes(app: App, folder: string, { path, bytes, sha256 }: LakeFile): Finding[] {
  const { files } = app.platform;
  const whole = join(folder, path);
  const found = files.look(whole);
  if (!found?.isFile) return [problem('missing', { file: path })];
  if (found.bytes !== bytes)
    return [problem('altered', { file: path, detail: `${found.bytes} bytes instead of ${bytes}` })];
  const hash = createHash('sha256');
  for (const piece of files.pieces(whole)) hash.update(piece);
  return hash.digest('hex') === sha256 ? [] : [problem('altered', { file: path, detail: 'its SHA-256 is another' })];
}

/** Compares every row of the newest runs with the mirror; rows that changed since and files with findings are left out. */
async function compare(
  app: App,
  reader: SnapshotReader,
  { manifest, folder, broken }: { manifest: Manifest; folder: string; broken: readonly Finding[] },
): Promise<readonly Finding[]> {
  if (!(await isSameHistory(reader, manifest)))
    return [problem('another history', { detail: 'the mirror was restored since' })];
  const last = (await reader.commit())?.number ?? 0;
  const { commit, nature, with_text: withText, with_row: withRow } = manifest;
  const listed = new Set(manifest.series.map(({ id }) => id));
  const stored = (await storedIn(reader, { before: manifest, withText, withRow })).filter(({ series }) =>
    listed.has(series.id),
  );
  const byId = new Map(stored.map((one) => [one.series.id, one]));
  const findings: Finding[] = [];
  const bar = openProgressBar(app, app.platform.clock);
  const skipped = new Set(broken.map(({ file }) => file));
  let done = 0;
  for (const [kindName, all] of Map.groupBy(manifest.series, ({ kind }) => kind)) {
    const [{ kind } = {}] = all.flatMap(({ id }) => byId.get(id) ?? []);
    if (!kind) continue;
    const files = manifest.files.filter((file) => file.kind === kindName && !skipped.has(file.path));
    const runs = Map.groupBy(files, ({ from_commit: from, to_commit: to }) => `${from}-${to}`);
    const cursors = [...runs.values()].map((own) => cursorOver(app, folder, { kind, files: own }));
    let unknown = 0;
    for (const { id } of all) {
      app.signal.throwIfAborted();
      const inLake = new Map<string, Sum>();
      for (const cursor of cursors) await cursor.take(id, (cells) => add(inLake, kind, cells));
      const one = byId.get(id);
      const hasMore = last > commit.number ? commit.number : undefined;
      const differs = one ? await countDifferent(reader, one, { kind, inLake, nature, hasMore }) : 0;
      if (one && differs > 0)
        findings.push(problem('different', { series: nameOfSeries(one.series), detail: `${differs} rows` }));
      unknown += inLake.size;
      done += 1;
      bar.show({ share: Math.min(1, done / manifest.series.length), what: `${done} series compared` });
    }
    for (const cursor of cursors) if (await cursor.hasMore()) unknown += 1;
    if (unknown > 0) findings.push(problem('not in the mirror', { detail: `${unknown} rows of ${kindName}` }));
  }
  const behind = stored.filter(({ isChanged }) => isChanged).length;
  if (last > commit.number)
    findings.push({
      level: 'note',
      file: null,
      series: null,
      finding: 'behind',
      detail: `${behind} series changed since commit ${commit.number}; macro lake export FOLDER adds that`,
    });
  return findings;
}

/** The rows of one key in the newest run that has it. */
interface Sum {
  readonly run: number;
  sum: bigint;
}

/** The rows of one run, in the order of its files, with one row group in memory. */
function cursorOver(app: App, folder: string, files: KindFiles) {
  const groups = rowGroups(app, folder, files);
  const place = files.kind.columns.findIndex(({ name }) => name === 'series');
  let rows: readonly Cells[] = [];
  let at = 0;
  const next = async (): Promise<Cells | undefined> => {
    while (at === rows.length) {
      const group = await groups.next();
      if (group.done) return undefined;
      rows = group.value;
      at = 0;
    }
    return rows[at];
  };
  return {
    hasMore: async () => (await next()) !== undefined,
    /** Takes the rows of a series, if they are the next ones. */
    async take(series: number, use: (cells: Cells) => void): Promise<void> {
      for (let row = await next(); row && Number(row[place]) === series; row = await next()) {
        use(row);
        at += 1;
      }
    },
  };
}

type Cells = readonly unknown[];

interface KindFiles {
  readonly kind: LakeKind;
  readonly files: readonly LakeFile[];
}

async function* rowGroups(app: App, folder: string, { kind, files }: KindFiles) {
  const parsers = { dateFromDays: (days: number) => days, timestampFromMilliseconds: (ms: bigint) => ms } as never;
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };
  for (const { path } of files) {
    const bytes = app.platform.files.readBytes(join(folder, path), Number.MAX_SAFE_INTEGER);
    const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const metadata = parquetMetadata(whole);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const rows = await parquetReadObjects({ file: whole, metadata, compressors, parsers, rowStart, rowEnd });
      yield rows.map((row) => kind.columns.map(({ name }) => row[name] ?? null));
      rowStart = rowEnd;
    }
  }
}

/** Adds a row to the rows of its key, unless a newer run has that key. */
function add(sums: Map<string, Sum>, kind: LakeKind, cells: Cells): void {
  const place = (name: string) => kind.columns.findIndex((one) => one.name === name);
  const run = Number(cells[place('exported_to')]);
  const key = textOf(['series', ...kind.identity].map((name) => cells[place(name)]));
  const known = sums.get(key);
  if (known && known.run > run) return;
  const sum = digestOf(cells.filter((_, i) => kind.columns[i]?.name !== 'exported_to'));
  if (known?.run === run) known.sum += sum;
  else sums.set(key, { run, sum });
}

const textOf = (cells: Cells): string =>
  JSON.stringify(cells, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

const digestOf = (cells: Cells): bigint => createHash('sha256').update(textOf(cells)).digest().readBigUInt64LE();

async function countDifferent(
  reader: SnapshotReader,
  { series, ask }: LakeStored,
  {
    kind,
    inLake,
    nature,
    hasMore,
  }: { kind: LakeKind; inLake: Map<string, Sum>; nature: string; hasMore: number | undefined },
): Promise<number> {
  const of = { series, nature, run: 0 };
  const changed = new Set<string>();
  const keyOf = (key: readonly unknown[]) => textOf([...key]);
  if (hasMore !== undefined)
    for (const { key } of await reader.knownTexts(series, { ...ask, after: hasMore })) changed.add(keyOf(key));
  let different = 0;
  for (const row of await reader.knownTexts(series, { ...ask, after: 0 })) {
    const sums = new Map<string, Sum>();
    for (const cells of kind.rows(of, row)) add(sums, kind, physical(kind, cells));
    for (const [key, { sum }] of sums) {
      if (inLake.get(key)?.sum !== sum && !changed.has(keyOf(row.key))) different += 1;
      inLake.delete(key);
    }
  }
  return different;
}

const physical = (kind: LakeKind, cells: readonly FileCell[]): readonly unknown[] =>
  kind.columns.map(({ type }, i) => physicalValue(type, cells[i] ?? null));
