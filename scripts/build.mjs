// Bundles src/main.ts into dist/, and the library into lib/, as ES modules with shared chunks, so that a command loads only what it needs.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonPlugins, pluginsWith } from './build-plugins.mjs';
import { bundle, bundleCommonJs } from './bundle.mjs';
import { compileAhead } from './compile-ahead.mjs';
import { ENDPOINT_GROUPS } from './endpoint-groups.mjs';
import { libraryTypes } from './library-types.mjs';
import { packSandbox } from './pack-sandbox.mjs';
import { printAhead } from './print-ahead.mjs';
import { root } from './sources.mjs';

// Beside the old build, which stays in place until the new one is whole.
const workplace = join(root, `.dist-${process.pid}`);
const fresh = join(workplace, 'dist');
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));
await bundle({ entries: { main: 'src/main.ts', ...ENDPOINT_GROUPS }, folder: fresh, plugins: pluginsWith() });
// A process of its own shares no file with the program, which would be one more to find at each of its starts.
await bundle({ entries: { 'query-child': 'src/mirror/sql/query-child.ts' }, folder: fresh, plugins: commonPlugins });
dropStubs();
mergeHelpers();
nameGroups();
printAhead(fresh);
await compileAhead(fresh);
// In a folder of its own: whoever imports the library loads nothing of the program.
const library = join(workplace, 'lib');
await bundle({ entries: { index: 'src/library/index.ts' }, folder: library, plugins: commonPlugins });
const commonJs = { entry: 'src/library/index.ts', file: join(library, 'index.cjs'), plugins: commonPlugins };
await bundleCommonJs(commonJs);
const types = await libraryTypes();
for (const name of ['index.d.ts', 'index.d.cts']) writeFileSync(join(library, name), types);
await packSandbox(join(workplace, 'pack'), join(library, 'sandbox.db.zst'));
rmSync(join(root, 'lib'), { recursive: true, force: true });
renameSync(library, join(root, 'lib'));
rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(fresh, join(root, 'dist'));

/** An entry that only passes on what one chunk exports becomes that chunk: a file less to find and link at a start. */
function dropStubs() {
  const texts = new Map(readdirSync(fresh).map((name) => [name, readFileSync(join(fresh, name), 'utf8')]));
  const renamed = new Map();
  for (const [name, text] of texts) {
    const [, names, chunk, passed] =
      /^(?:const .*\n)*import\{([^}]*)\}from"\.\/(chunk-[^"]+)";(?:import"[^"]+";)*export\{([^}]*)\};\s*$/.exec(text) ??
      [];
    if (chunk === undefined || names !== passed) continue;
    if (!renamed.has(chunk)) renamed.set(chunk, name);
    else renamed.set(name, renamed.get(chunk));
  }
  for (const name of texts.keys()) rmSync(join(fresh, name));
  for (const [name, text] of texts) {
    if (renamed.has(name) ? !name.startsWith('chunk-') : [...renamed.values()].includes(name)) continue;
    writeFileSync(
      join(fresh, renamed.get(name) ?? name),
      text.replace(/(?<="\.\/)[^"]+(?=")/g, (file) => renamed.get(file) ?? file),
    );
  }
}

/** The bundler's own helpers are a small file that nearly every other one imports: they go with the one that is always there. */
function mergeHelpers() {
  const texts = new Map(readdirSync(fresh).map((name) => [name, readFileSync(join(fresh, name), 'utf8')]));
  const [helpers, text] =
    [...texts].find(([name, code]) => name.startsWith('chunk-') && /^var __create=/m.test(code)) ?? [];
  const main = texts.get('main.js');
  if (helpers === undefined || /^import/m.test(text) || main.includes(helpers)) return;
  // Both files begin with the same lines.
  texts.set('main.js', main + text.slice(text.indexOf('var __create=')));
  texts.delete(helpers);
  rmSync(join(fresh, helpers));
  for (const [name, code] of texts) writeFileSync(join(fresh, name), code.replaceAll(`"./${helpers}"`, '"./main.js"'));
}

/**
 * Groups of endpoints are asked for by their names, which are the same in every build. Named after this one they are not found
 * by a program that was replaced while it ran, and it says so, instead of going on with half of another version.
 */
function nameGroups() {
  const texts = readdirSync(fresh)
    .sort()
    .map((name) => [name, readFileSync(join(fresh, name), 'utf8')]);
  const mark = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 8).toUpperCase();
  const groups = new Map(Object.keys(ENDPOINT_GROUPS).map((name) => [`${name}.js`, `${name}-${mark}.js`]));
  for (const [name, text] of texts) {
    rmSync(join(fresh, name));
    writeFileSync(
      join(fresh, groups.get(name) ?? name),
      text.replace(/(?<=["']\.\/)endpoints-\w+\.js(?=["'])/g, (file) => groups.get(file) ?? file),
    );
  }
}
