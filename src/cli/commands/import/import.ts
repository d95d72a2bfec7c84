import { basename, resolve } from 'node:path';
import { ecb } from '../../../imports/ecb.ts';
import { runImport } from '../../../imports/import.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../output/own-listing.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../only-word.ts';

const COLUMNS = ['series', 'rows', 'added', 'revised', 'vanished', 'unchanged', 'from', 'to'] as const;

/** Brings an official file into the mirror and prints what changed. */
export async function importFile(app: App, call: Call): Promise<void> {
  const file = onlyWord(call, `import ${ecb.id}`, 'FILE (- for standard input)');
  const { files, io, cwd, clock } = app.platform;
  const bytes = file === '-' ? await io.stdin.readBytes() : files.readBytes(resolve(cwd, file));
  // A file that cannot be read must not leave a new mirror behind, so it is checked before that is made.
  const read = [...ecb.read(bytes)];
  const report = await runImport({
    importer: { ...ecb, read: () => read },
    bytes,
    mirror: await app.writable(),
    now: clock.now(),
    // The name alone: a path tells about the machine.
    request: `import ${ecb.id} ${file === '-' ? '-' : basename(file)}`,
  });
  await app.print(
    listOwn({ columns: COLUMNS, rows: [{ ...report }], title: [`Imported into ${app.settings.mirror.value}`] }),
  );
}
