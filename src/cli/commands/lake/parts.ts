import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '../../../platform/platform.ts';
import type { FileCell } from '../../print/file.ts';
import { parquetWriter } from '../../print/parquet.ts';
import type { LakeKind } from './columns.ts';
import type { LakeFile } from './manifest.ts';

/** Rows of a file, 100 to 300 MB: what is larger goes on in another one. */
const MAX_FILE_ROWS = 5_000_000;

interface PartsOptions {
  readonly files: Files;
  readonly folder: string;
  /** Folder of the kinds below that of the lake; ends with a slash where there is one. */
  readonly prefix: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
}

/** Writes the files of one run, one of each kind, in which rows come series by series; `finish` gives the names. */
export function openParts(options: PartsOptions) {
  const written: LakeFile[] = [];
  let open: ReturnType<typeof openPart> | undefined;
  const finish = () => {
    if (open) written.push(open.finish());
    open = undefined;
  };
  return {
    /** Rows of a kind, all of them before those of another. */
    write(kind: LakeKind, rows: readonly (readonly FileCell[])[]): void {
      if (open && (open.kind !== kind || open.rows() >= MAX_FILE_ROWS)) finish();
      open ??= openPart(options, kind, written.filter((one) => one.kind === kind.name).length);
      open.add(rows);
    },
    finish(): readonly LakeFile[] {
      finish();
      return written;
    },
    discard: () => open?.discard(),
  };
}

/** `earlier`: files of the kind that this run has written. */
function openPart({ files, folder, prefix, facts, from, to }: PartsOptions, kind: LakeKind, earlier: number) {
  const own = `part-${from}-`;
  const path = `${prefix}${kind.name}/${own}${to}${earlier > 0 ? `-${earlier + 1}` : ''}.parquet`;
  const place = join(folder, prefix, kind.name);
  files.makeFolder(place);
  // What a run left that was killed begins at the same commit.
  if (earlier === 0)
    for (const left of files.list(place).filter((name) => name.replace(/^\./, '').startsWith(own)))
      files.remove(join(place, left));
  const file = files.grow(join(folder, path));
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const writer = parquetWriter({
    ...{ columns: kind.columns, facts, now: 0 },
    write(piece) {
      hash.update(piece);
      bytes += piece.length;
      file.write(piece);
    },
  });
  return {
    kind,
    rows: () => rows,
    add(cells: readonly (readonly FileCell[])[]): void {
      writer.write(cells);
      rows += cells.length;
    },
    discard: () => file.discard(),
    finish(): LakeFile {
      writer.end();
      file.finish();
      const sha256 = hash.digest('hex');
      return { path, kind: kind.name, rows, bytes, sha256, from_commit: from, to_commit: to };
    },
  };
}
