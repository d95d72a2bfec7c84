// Bundles src/main.ts into dist/, and the library into lib/, as ES modules with shared chunks, so that a command loads only what it needs.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundleCommonJs, bundleProgram } from './bundle.mjs';
import { libraryTypes } from './library-types.mjs';
import { packSandbox } from './pack-sandbox.mjs';
import { printAhead } from './print-ahead.mjs';
import { root } from './sources.mjs';

// Beside the old build, which stays in place until the new one is whole.
const workplace = join(root, `.dist-${process.pid}`);
const program = join(workplace, 'dist');
const library = join(workplace, 'lib');
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));
await bundleProgram({ entries: { main: 'src/main.ts' }, folder: program });
// A process of its own shares no file with the program, which would be one more to find at each of its starts.
await bundle({ entries: { 'query-child': 'src/mirror/sql/query-child.ts' }, folder: program });
await printAhead(program);
// In a folder of its own: whoever imports the library loads nothing of the program.
await bundle({ entries: { index: 'src/library/index.ts' }, folder: library });
await bundleCommonJs({ entry: 'src/library/index.ts', file: join(library, 'index.cjs') });
const types = await libraryTypes();
for (const name of ['index.d.ts', 'index.d.cts']) writeFileSync(join(library, name), types);
await packSandbox(join(workplace, 'pack'), join(library, 'sandbox.db.zst'));
for (const [fresh, name] of [
  [library, 'lib'],
  [program, 'dist'],
]) {
  rmSync(join(root, name), { recursive: true, force: true });
  renameSync(fresh, join(root, name));
}
