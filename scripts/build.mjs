// Bundles src/main.ts into dist/ as ES modules with shared chunks, so that a command loads only what it needs.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { plugins } from './build-plugins.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Beside the old build, which stays in place until the new one is whole.
const fresh = join(root, `.dist-${process.pid}`);
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));
await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts', 'query-child': 'src/mirror/sql/query-child.ts' },
  outdir: fresh,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  legalComments: 'none',
  define: { 'globalThis.MACRO_VERSION': JSON.stringify(version) },
  plugins,
  banner: {
    // Bundled CommonJS packages may ask for a module by a name that is known at run time only. Made when it is called:
    // making it costs more than the rest of a short command.
    js: [
      "const requireHere = () => process.getBuiltinModule('node:module').createRequire(import.meta.url);",
      'const require = (id) => requireHere()(id);',
      // Where npm puts it for a program of its own; elsewhere it has to be looked for, which takes a millisecond.
      'const ownFolder = (id) => import.meta.dirname.replace(/dist$/, "node_modules/" + id);',
      'const packageFolder = (id) => process.getBuiltinModule("node:fs").existsSync(ownFolder(id)) ? ownFolder(id) : requireHere().resolve(id + "/package.json").slice(0, -13);',
    ].join('\n'),
  },
});

dropStubs();
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
