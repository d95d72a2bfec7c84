import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Files } from '../../../platform/platform.ts';
import { parquetWriter } from '../../print/parquet.ts';
import type { LakeCells, LakeKind } from './columns.ts';
import type { LakeFile, LakePart } from './manifest.ts';

/** Rows in memory at a time, over all files that are open. */
const MAX_ROWS = 300_000;

interface PartsOptions {
  readonly files: Files;
  readonly folder: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
}

export interface PartFolder {
  readonly kind: LakeKind;
  readonly part: LakePart;
  /** Below the folder of the lake, without the year. */
  readonly path: string;
}

type OpenPart = ReturnType<typeof openPart>;

/** Writes the files of one run, a file for each year of a folder; `finish` gives them their names. */
export function openParts(options: PartsOptions) {
  const open = new Map<string, OpenPart>();
  const written: LakeFile[] = [];
  let waiting = 0;

  return {
    write(folder: PartFolder, rows: readonly LakeCells[]): void {
      for (const { year, cells } of rows) {
        const path = `${folder.path}/year=${year}`;
        const part = open.get(path + folder.part) ?? openPart(options, { ...folder, path });
        open.set(path + folder.part, part);
        part.add(cells);
        waiting += 1;
        if (waiting < MAX_ROWS) continue;
        waiting = [...open.values()].reduce((sum, one) => sum + one.waiting(), 0);
        if (waiting < MAX_ROWS) continue;
        // The fullest one alone: small row groups cost every reader.
        const fullest = [...open.values()].reduce((most, one) => (one.waiting() > most.waiting() ? one : most));
        waiting -= fullest.waiting();
        fullest.cut();
      }
    },
    /** Every file of a folder is whole: its rows come from one folder after the other. */
    finish(): void {
      for (const part of open.values()) written.push(part.finish());
      open.clear();
      waiting = 0;
    },
    discard(): void {
      for (const part of open.values()) part.discard();
    },
    written: written as readonly LakeFile[],
  };
}

function openPart({ files, folder, facts, from, to }: PartsOptions, { kind, part, path }: PartFolder) {
  const name = `${path}/${part === 'rows' ? 'rows' : 'part'}-${from}-${to}.parquet`;
  files.makeFolder(dirname(join(folder, name)));
  const file = files.grow(join(folder, name));
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
    waiting: writer.waiting,
    add(cells: LakeCells['cells']): void {
      writer.write([cells]);
      rows += 1;
    },
    cut: writer.cut,
    discard: () => file.discard(),
    finish(): LakeFile {
      writer.end();
      file.finish();
      const described = { path: name, kind: kind.name, part, rows, bytes, sha256: hash.digest('hex') };
      return { ...described, from_commit: from, to_commit: to };
    },
  };
}
