import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '../../../platform/platform.ts';
import type { FileCell } from '../../print/file.ts';
import { parquetWriter } from '../../print/parquet.ts';
import type { LakeKind } from './columns.ts';
import type { LakeFile, LakePart } from './manifest.ts';

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

type OpenPart = ReturnType<typeof openPart>;

/** Writes the files of one run: one of each kind and part, in which rows come series by series; `finish` gives the names. */
export function openParts(options: PartsOptions) {
  const open = new Map<LakePart, OpenPart>();
  const written: LakeFile[] = [];
  const finish = (part: LakePart) => {
    const file = open.get(part)?.finish();
    open.delete(part);
    if (file) written.push(file);
  };
  return {
    /** Rows of a kind, all of them before those of another. */
    write(kind: LakeKind, part: LakePart, rows: readonly (readonly FileCell[])[]): void {
      let file = open.get(part);
      if (file && (file.kind !== kind || file.rows() >= MAX_FILE_ROWS)) finish(part);
      file = open.get(part) ?? openPart(options, { kind, part, written });
      open.set(part, file);
      file.add(rows);
    },
    finish(): readonly LakeFile[] {
      for (const part of open.keys()) finish(part);
      return written;
    },
    discard(): void {
      for (const part of open.values()) part.discard();
    },
  };
}

interface Part {
  readonly kind: LakeKind;
  readonly part: LakePart;
  readonly written: readonly LakeFile[];
}

function openPart({ files, folder, prefix, facts, from, to }: PartsOptions, { kind, part, written }: Part) {
  const earlier = written.filter((one) => one.kind === kind.name && one.part === part).length;
  const own = `${part === 'rows' ? 'rows' : 'part'}-${from}-`;
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
      const described = { path, kind: kind.name, part, rows, bytes, sha256: hash.digest('hex') };
      return { ...described, from_commit: from, to_commit: to };
    },
  };
}
