import { isoSeconds } from '../../../contract/time/time.ts';
import { importsIn, type PastImport } from '../../../imports/import-history.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../print/listing.ts';
import { requireMirror } from '../mirror/require-held.ts';

const COLUMNS = [
  'id',
  'imported_at',
  'format',
  'publisher',
  'file',
  'series',
  'added',
  'revised',
  'withdrawn',
  'undone_at',
  'sha256',
] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['sha256', 'publisher', 'undone_at'] as const;

/** Prints what came from which file. */
export async function listImports(app: App): Promise<void> {
  const { mirror } = await requireMirror(app);
  const rows = importsIn(await mirror.files.fileCommits()).map(listedImport);
  await app.print(
    listOwn({ columns: COLUMNS, rows, spare: SPARE, title: [`Imported into ${app.settings.mirror.value}`] }),
  );
}

function listedImport({ at, series, digest, undoneAt, ...rest }: PastImport) {
  const { id, format, publisher, file, added, revised, withdrawn } = rest;
  return {
    ...{ id, imported_at: isoMs(at), format, publisher, file, series: series.length, added, revised, withdrawn },
    undone_at: undoneAt === undefined ? null : isoMs(undoneAt),
    sha256: digest,
  };
}

const isoMs = (ms: number): string => isoSeconds(Math.floor(ms / 1000));
