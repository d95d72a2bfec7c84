// The bundler's settings, for the program and for what is measured against it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './sources.mjs';

/** Bundles into `folder`, as ES modules with shared chunks. `entries`: file names without their end, and sources. */
export async function bundle({ entries, folder, plugins }) {
  await bundleChunks({
    entries,
    folder,
    plugins,
    banner: {
      // Bundled CommonJS packages may ask for a module by a name that is known at run time only. Made by the first call:
      // making it costs more than the rest of a short command, and some packages ask at each request.
      js: [
        "const requireHere = ((made) => () => made ??= process.getBuiltinModule('node:module').createRequire(import.meta.url))();",
        'const require = (id) => requireHere()(id);',
        // Where npm puts it for a program of its own; elsewhere it has to be looked for, which takes a millisecond.
        'const ownFolder = (id) => import.meta.dirname.replace(/(dist|lib)$/, "node_modules/" + id);',
        'const packageFolder = (id) => process.getBuiltinModule("node:fs").existsSync(ownFolder(id)) ? ownFolder(id) : requireHere().resolve(id + "/package.json").slice(0, -13);',
      ].join('\n'),
    },
  });
}

/** The same without the lines that lead a file to its folder and to Node's modules. */
export async function bundleChunks({ entries, folder, plugins, banner = {} }) {
  await build({
    ...commonSettings(),
    entryPoints: entries,
    outdir: folder,
    format: 'esm',
    splitting: true,
    plugins,
    banner,
  });
  for (const name of readdirSync(folder)) requireAscii(name, readFileSync(join(folder, name), 'utf8'));
}

/** One other character, and Node keeps the whole file in two bytes a character. The bundler escapes all but those in patterns. */
function requireAscii(name, text) {
  const [found] = /.{0,60}[^\0-\x7f].{0,20}/.exec(text) ?? [];
  if (found !== undefined) throw new Error(`${name} is not plain ASCII; write \\u in the pattern of: ${found}`);
}

/**
 * Bundles into one file of CommonJS, for programs that load nothing else: the Jest of most projects is one. One file, because
 * such a program may know no `import()` either.
 */
export async function bundleCommonJs({ entry, file, plugins }) {
  await build({
    ...commonSettings({ 'import.meta.url': 'hereUrl', 'import.meta.dirname': '__dirname' }),
    entryPoints: [entry],
    outfile: file,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    plugins,
    banner: {
      js: [
        'const requireHere = () => require;',
        "const hereUrl = require('node:url').pathToFileURL(__filename).href;",
        'const packageFolder = (id) => require.resolve(id + "/package.json").slice(0, -13);',
      ].join('\n'),
    },
  });
}

/** What holds in whatever form the program is bundled. */
export function commonSettings(define = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    legalComments: 'none',
    define: { 'globalThis.MACRO_VERSION': JSON.stringify(version), ...define },
  };
}
