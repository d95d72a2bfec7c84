// What the program carries as data: an installation needs no package for it, and the single executable has no folder beside it.
// Each stands in place of a file of the sources that reads it, or works it out.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledFiles } from './bill.mjs';
import { exportsOf, root } from './sources.mjs';

const PAGES = join(root, 'src', 'pages');

/** Replaces the module of the sources whose path `filter` knows by what `contents` makes. */
export function inPlaceOf(name, filter, contents) {
  return { name, setup: (hooks) => hooks.onLoad({ filter }, async () => ({ contents: await contents() })) };
}

const constant = (name, value) => `export const ${name} = ${JSON.stringify(value)};`;
const packaged = (file) => readFileSync(join(root, file));
const bytes = (part) => `Buffer.from('${part.toString('base64')}', 'base64')`;

/** Files of packages that are carried whole. */
const CARRIED = {
  renderer: 'node_modules/@resvg/resvg-wasm/index_bg.wasm',
  font: 'node_modules/dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  script: 'node_modules/uplot/dist/uPlot.iife.min.js',
  style: 'node_modules/uplot/dist/uPlot.min.css',
};

/** Files of packages that are data of the program: those, and what the pages are made from. */
export async function carriedFiles() {
  const { metafile } = await bundlePages();
  return [...Object.values(CARRIED), ...bundledFiles(metafile)];
}

/** What draws a PNG, compressed: the renderer, and one font. */
export function rasterParts() {
  return {
    renderer: brotliCompressSync(packaged(CARRIED.renderer)),
    font: brotliCompressSync(packaged(CARRIED.font)),
  };
}

/** Scripts and style of the pages, bundled for browsers: text of each by its file name. */
export async function bundledPages() {
  const { outputFiles } = await bundlePages();
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
}

function bundlePages() {
  const entries = readdirSync(PAGES).filter((name) => /^(home|explore|docs)\.tsx$|^page\.css$/.test(name));
  return build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join(PAGES, name)),
    outdir: join(root, 'pages'),
    write: false,
    metafile: true,
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
}

function documents() {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(names.map((name) => [name.slice(0, -3), readFileSync(join(root, 'docs', name), 'utf8')]));
}

/**
 * What is declared of the commands, so that help and parsing load no endpoint and no command. Most options are those of many
 * commands, so each stands once. Only what is meant is parsed.
 */
async function commandData() {
  const { commandData: read } = await exportsOf(join(root, 'src', 'cli', 'commands', 'command-data.ts'));
  const options = [];
  const placeOf = (option) => {
    const text = JSON.stringify(option);
    return options.includes(text) ? options.indexOf(text) : options.push(text) - 1;
  };
  const commands = (await read()).map((one) => [
    one.path[0],
    JSON.stringify({ ...one, options: one.options.map(placeOf) }),
  ]);
  return `const OPTIONS = ${JSON.stringify(options)};
    const COMMANDS = ${JSON.stringify(commands)};
    const read = (text) => {
      const command = JSON.parse(text);
      return { ...command, options: command.options.map((place) => JSON.parse(OPTIONS[place])) };
    };
    export const commandData = async (first) =>
      COMMANDS.flatMap(([word, text]) => (first === undefined || word === first ? [read(text)] : []));`;
}

/** The completion scripts of the commands as they are declared now. */
async function completionScripts() {
  const [{ completionScript }, { SHELLS }, { commandsUnder }] = await Promise.all([
    exportsOf(join(root, 'scripts', 'completion', 'script.ts')),
    exportsOf(join(root, 'src', 'cli', 'completion', 'shells.ts')),
    exportsOf(join(root, 'src', 'cli', 'commands', 'tree.ts')),
  ]);
  const commands = await commandsUnder();
  return Object.fromEntries(SHELLS.map((shell) => [shell, completionScript(shell, commands)]));
}

export const carried = [
  inPlaceOf('command-data', /commands\/command-data\.ts$/, commandData),
  inPlaceOf('page-assets', /serve\/pages\/assets\.ts$/, async () => constant('PAGE_ASSETS', await bundledPages())),
  inPlaceOf('completion-scripts', /completion\/scripts\.ts$/, async () =>
    constant('COMPLETION_SCRIPTS', await completionScripts()),
  ),
  inPlaceOf('documents', /manual\/documents\.ts$/, () => constant('DOCUMENTS', documents())),
  inPlaceOf('plotting-library', /chart\/plotting-library\.ts$/, () =>
    constant('PLOTTING_LIBRARY', {
      script: packaged(CARRIED.script).toString(),
      style: packaged(CARRIED.style).toString(),
    }),
  ),
  inPlaceOf('raster-parts', /chart\/raster-parts\.ts$/, () => {
    const { renderer, font } = rasterParts();
    return `export const rasterParts = () => ({ renderer: ${bytes(renderer)}, font: ${bytes(font)} });`;
  }),
];
