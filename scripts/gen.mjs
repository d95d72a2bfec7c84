// Writes the files that are made from the program: completions, parts of docs/ and the record of the library's types,
// and prints the name of each that changed. With --check it writes nothing and fails when one of them is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { libraryTypes, SURFACE, surfaceText } from './library-types.mjs';
import { exportsOf, root } from './sources.mjs';

const check = process.argv.includes('--check');

const { generatedFiles } = await exportsOf(join(root, 'scripts', 'generated.ts'));

const files = {
  ...generatedFiles((path) => readFileSync(join(root, path), 'utf8')),
  [SURFACE]: surfaceText(await libraryTypes()),
};
const stale = Object.entries(files).filter(([path, content]) => readNow(path) !== content);
for (const [path, content] of stale) {
  if (check) process.stderr.write(`gen: ${path} is stale; run npm run gen\n`);
  else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    process.stdout.write(`${path}\n`);
  }
}
if (check && stale.length > 0) process.exitCode = 1;

function readNow(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
