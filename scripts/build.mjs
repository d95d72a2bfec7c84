// Bundles src/main.ts into dist/, as ES modules with shared chunks, so that a command loads only what it needs; and the library
// into lib/, as CommonJS with two doors.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledFiles, writeBill } from './bill.mjs';
import { bundle, bundleLibrary, bundleProgram } from './bundle.mjs';
import { carriedFiles } from './carried.mjs';
import { libraryDoors } from './library-doors.mjs';
import { libraryTypes } from './library-types.mjs';
import { printAhead } from './print-ahead.mjs';
import { root } from './sources.mjs';

// Beside the old build, which stays in place until the new one is whole.
const workplace = join(root, `.dist-${process.pid}`);
const program = join(workplace, 'dist');
const library = join(workplace, 'lib');
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));
const { metafile } = await bundleProgram({ entries: { main: 'src/main.ts' }, folder: program });
// A process of its own shares no file with the program, which would be one more to find at each of its starts.
await bundle({ entries: { 'query-child': 'src/mirror/sql/query-child.ts' }, folder: program });
await printAhead(program);
// In a folder of its own: whoever imports the library loads nothing of the program.
const bundled = await bundleLibrary({ entry: 'src/library/index.ts', folder: library });
const doors = { ...libraryDoors(join(library, bundled.main)), 'index.d.cts': await libraryTypes() };
for (const [name, text] of Object.entries(doors)) writeFileSync(join(library, name), text);
writeBill([...bundledFiles(metafile), ...bundledFiles(bundled.metafile), ...(await carriedFiles())], program);
for (const [fresh, name] of [
  [library, 'lib'],
  [program, 'dist'],
]) {
  rmSync(join(root, name), { recursive: true, force: true });
  renameSync(fresh, join(root, name));
}
