// What the program carries as text or bytes: an installation needs no package for it, and the single executable has no folder
// beside it. Each stands in place of a file of the sources that reads it from its folder.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './sources.mjs';

const PAGES = join(root, 'src', 'pages');

/** Replaces the module of the sources whose path `filter` knows by what `contents` makes. */
export function inPlaceOf(name, filter, contents) {
  return { name, setup: (hooks) => hooks.onLoad({ filter }, async () => ({ contents: await contents() })) };
}

const constant = (name, value) => `export const ${name} = ${JSON.stringify(value)};`;
const packaged = (...path) => readFileSync(join(root, 'node_modules', ...path));
const bytes = (part) => `Buffer.from('${part.toString('base64')}', 'base64')`;

/** What draws a PNG, compressed: the renderer, and one font. */
export function rasterParts() {
  return {
    renderer: brotliCompressSync(packaged('@resvg', 'resvg-wasm', 'index_bg.wasm')),
    font: brotliCompressSync(packaged('dejavu-fonts-ttf', 'ttf', 'DejaVuSansCondensed.ttf')),
  };
}

/** Scripts and style of the pages, bundled for browsers: text of each by its file name. */
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

function documents() {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(names.map((name) => [name.slice(0, -3), readFileSync(join(root, 'docs', name), 'utf8')]));
}

export const carried = [
  inPlaceOf('page-assets', /serve\/pages\/assets\.ts$/, async () => constant('PAGE_ASSETS', await bundledPages())),
  inPlaceOf('documents', /manual\/documents\.ts$/, () => constant('DOCUMENTS', documents())),
  inPlaceOf('plotting-library', /chart\/plotting-library\.ts$/, () =>
    constant('PLOTTING_LIBRARY', {
      script: packaged('uplot', 'dist', 'uPlot.iife.min.js').toString(),
      style: packaged('uplot', 'dist', 'uPlot.min.css').toString(),
    }),
  ),
  inPlaceOf('raster-parts', /chart\/raster-parts\.ts$/, () => {
    const { renderer, font } = rasterParts();
    return `export const rasterParts = () => ({ renderer: ${bytes(renderer)}, font: ${bytes(font)} });`;
  }),
];
