// Bundles src/main.ts into dist/ as ES modules with shared chunks, so that a command loads only what it needs.
import { readFileSync, renameSync, rmSync } from 'node:fs';
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
  entryPoints: ['src/main.ts'],
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
  // The addon is native. The rest is bundled: unbundled, their many small files dominate the start.
  external: ['better-sqlite3'],
  define: { 'globalThis.MACRO_VERSION': JSON.stringify(version) },
  plugins,
  banner: {
    // Bundled CommonJS packages may ask for a module by a name that is known at run time only. Made when it is called:
    // making it costs more than the rest of a short command.
    js: "const require = (id) => process.getBuiltinModule('node:module').createRequire(import.meta.url)(id);",
  },
});

rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(fresh, join(root, 'dist'));
