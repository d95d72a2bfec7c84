// Bundles src/main.ts into dist/ as ES modules with shared chunks, so that a command loads only what it needs.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plugins } from './build-plugins.mjs';
import { bundle } from './bundle.mjs';
import { compileAhead } from './compile-ahead.mjs';
import { ENDPOINT_GROUPS } from './endpoint-groups.mjs';
import { root } from './sources.mjs';

// Beside the old build, which stays in place until the new one is whole.
const workplace = join(root, `.dist-${process.pid}`);
const fresh = join(workplace, 'dist');
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));
await bundle({
  entries: { main: 'src/main.ts', 'query-child': 'src/mirror/sql/query-child.ts', ...ENDPOINT_GROUPS },
  folder: fresh,
  plugins,
});
dropStubs();
await compileAhead(fresh);
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
