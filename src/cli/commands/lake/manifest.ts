import { join } from 'node:path';
import { isJsonObject, readJson } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import type { Files } from '../../../platform/platform.ts';

/** The list of the files of a lake: if you read only the files that it names, you never see half a run. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: 1;
  /** Id of the mirror, whose answers it holds, and whether they are made up. */
  readonly mirror: string;
  readonly service: string | null;
  readonly nature: string;
  readonly synthetic: boolean;
  readonly with_text: boolean;
  readonly with_row: boolean;
  readonly written_at: string;
  /** The last commit that the files reach. */
  readonly commit: LakeCommit;
  readonly files: readonly LakeFile[];
  readonly series: readonly LakeSeries[];
  readonly publishers: readonly { readonly origin: string; readonly terms: string }[];
}

export interface LakeCommit {
  readonly number: number;
  readonly at: string;
}

export interface LakeFile {
  /** Below the folder of the lake. */
  readonly path: string;
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly from_commit: number;
  readonly to_commit: number;
}

export interface LakeSeries {
  readonly id: number;
  readonly kind: string;
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly origin: string;
  /** Digest of all that its rows ever were; empty once its imports were taken back. */
  readonly history: string;
  readonly closed_at: string | null;
  readonly coverage: readonly { readonly from: string | null; readonly to: string | null }[];
  /** Date ranges that the mirror does not cover, the open ends with null. */
  readonly missing: readonly { readonly from: string | null; readonly to: string | null; readonly reason: string }[];
}

const FORMAT = 'macro-lake';
export const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 ** 3;

/** The manifest of a folder; undefined where there is none. @throws MacroError of kind `usage`. */
export function readManifest(files: Files, folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST);
  if (!files.exists(path)) return undefined;
  let read: unknown;
  try {
    read = readJson(files.readText(path, MAX_MANIFEST_BYTES));
  } catch (error) {
    if (error instanceof MacroError) throw error;
  }
  if (isManifest(read)) return read;
  throw new MacroError('usage', `${path} is no manifest of a lake that this version reads.`, {
    code: 'bad_manifest',
    hint: 'Name another folder: macro lake export NEWFOLDER begins a new lake.',
  });
}

export function writeManifest(files: Files, folder: string, manifest: Omit<Manifest, 'format' | 'version'>): void {
  const whole: Manifest = { format: FORMAT, version: 1, ...manifest };
  files.write(join(folder, MANIFEST), `${JSON.stringify(whole, undefined, 1)}\n`);
}

function isManifest(read: unknown): read is Manifest {
  if (!isJsonObject(read) || read.format !== FORMAT || read.version !== 1) return false;
  const { mirror, commit, files, series } = read;
  const hasLists = Array.isArray(files) && Array.isArray(series);
  if (typeof mirror !== 'string' || !isJsonObject(commit) || typeof commit.number !== 'number' || !hasLists)
    return false;
  // A manifest may come from others: its paths stay in their folder.
  const isBelow = (path: string) => path.split('/').every((part) => /^[\w=-][\w=.-]*$/.test(part));
  return files.every((one) => isJsonObject(one) && typeof one.path === 'string' && isBelow(one.path));
}
