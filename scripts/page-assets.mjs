// Bundles the scripts and the style of the pages, and puts them into the program as text.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './sources.mjs';

const PAGES = join(root, 'src', 'pages');

/** In place of the list of assets: a module of its own, which the program loads with the first page. */
export const pageAssets = {
  name: 'page-assets',
  setup(hooks) {
    hooks.onLoad({ filter: /serve\/pages\/assets\.ts$/ }, async () => ({
      contents: `export const PAGE_ASSETS = ${JSON.stringify(await bundledPages())};`,
    }));
  },
};

/** Text of each asset by its file name. */
export async function bundledPages() {
  const entries = readdirSync(PAGES).filter((name) => /^(home|explore|docs)\.tsx$|^page\.css$/.test(name));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join(PAGES, name)),
    outdir: join(root, 'pages'),
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfig: join(PAGES, 'tsconfig.json'),
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
}
