// Makes the program, its native libraries and Node one file, for the system that this runs on: executable/macro, or in the folder
// that is named. Node's own way of single executables: the bundle becomes a resource of a copy of the Node of the checkout.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { inject } from 'postject';
import { bundleProgram, commonSettings } from './bundle.mjs';
import { inPlaceOf, rasterParts } from './carried.mjs';
import { printAhead } from './print-ahead.mjs';
import { root } from './sources.mjs';

const addon = JSON.stringify(join(root, 'scripts', 'executable', 'addon.mjs'));
const queryProcess = join(root, 'scripts', 'executable', 'query-process.mjs');

/** Where the executable has what a checkout has in folders. */
const PLUGINS = [
  inPlaceOf(
    'driver',
    /better-sqlite3\/lib\/binding\.js$/,
    () => `import { addon } from ${addon}; export const getBinding = () => addon('driver.node');`,
  ),
  inPlaceOf(
    'keychain',
    /platform\/keyring-module\.ts$/,
    () => `import { addon } from ${addon}; export const loadKeyring = () => addon('keyring.node');`,
  ),
  // What draws a PNG stays beside the program until it is asked for.
  inPlaceOf(
    'raster-parts',
    /chart\/raster-parts\.ts$/,
    () => `import { getRawAsset } from 'node:sea';
      const part = (name) => new Uint8Array(getRawAsset(name));
      export const rasterParts = () => ({ renderer: part('renderer'), font: part('font') });`,
  ),
  inPlaceOf('query-process', /sql\/query-process\.ts$/, () => `export * from ${JSON.stringify(queryProcess)};`),
];

/** What is run while the executable is made: the functions that it needs are compiled, and kept in it. */
const RATES = join(root, 'test', 'fixtures', 'official', 'ecb-eurofxref-2026-04-13.csv');
const QUESTION = 'fx eur usd --indicators all --end 2026-04-13 --offline --allow-partial';

const folder = resolve(process.argv[2] ?? join(root, 'executable'));
const name = process.platform === 'win32' ? 'macro.exe' : 'macro';
const workplace = join(folder, `.making-${process.pid}`);
const at = (file) => join(workplace, file);

mkdirSync(workplace, { recursive: true });
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));
await makeChunks();
takeLibraries();
compileProgram();
makeResource();
await putIntoNode();
tryOut();
renameSync(at(name), join(folder, name));
process.stdout.write(
  `${relative(process.cwd(), join(folder, name))}: ${Math.round(statSync(join(folder, name)).size / 1e6)} MB\n`,
);

/**
 * The files of the program, as CommonJS: the only form that Node runs from a resource with the code that was compiled for it.
 * Many files, as a program of one would be read and set up whole by each question.
 */
async function makeChunks() {
  const entries = { main: 'scripts/executable/main.mjs' };
  await bundleProgram({ entries, folder: at('chunks'), plugins: PLUGINS, banner: '' });
  await printAhead(at('chunks'));
  for (const name of readdirSync(at('chunks'))) {
    const { code } = await transform(readFileSync(join(at('chunks'), name), 'utf8'), {
      format: 'cjs',
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
    });
    writeFileSync(at(name), `(function (exports, require, module) {${code}\n})`);
  }
  await build({
    ...commonSettings(),
    entryPoints: [join(root, 'scripts', 'executable', 'start.cjs')],
    outfile: at('start.cjs'),
    format: 'cjs',
  });
}

/** The functions that every question runs, compiled by the Node that the executable is made of. */
function compileProgram() {
  const compiler = join(root, 'scripts', 'executable', 'compile.cjs');
  const home = at('home');
  mkdirSync(home);
  // Whoever makes it may have a mirror and a key: nothing of the environment or of a kept setting is read.
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, ...(SystemRoot && { SystemRoot }), MACRO_HOME: home, MACRO_MIRROR: join(home, 'rates.db') };
  const run = (lines, ...keep) =>
    execFileSync(process.execPath, [compiler, workplace, JSON.stringify(lines), ...keep], {
      ...{ cwd: home, env },
      stdio: ['ignore', 'ignore', 2],
    });
  // In a process of its own: what only an import runs is not loaded by each question.
  run([['import', 'ecb', RATES]]);
  run([['--version'], QUESTION.split(' ')], 'keep');
}

/** The native libraries, and what draws a PNG. */
function takeLibraries() {
  const packaged = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const { getPrebuildPath } = createRequire(import.meta.url)(join(packaged, 'lib', 'binding.js'));
  copyFileSync(getPrebuildPath(), at('driver.node'));
  strip(at('driver.node'));
  copyFileSync(keyringBinary(), at('keyring.node'));
  strip(at('keyring.node'));
  for (const [part, bytes] of Object.entries(rasterParts())) writeFileSync(at(part), bytes);
}

function makeResource() {
  const files = readdirSync(workplace, { withFileTypes: true }).filter((entry) => entry.isFile());
  const settings = {
    main: at('start.cjs'),
    output: at('resource'),
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries(files.map(({ name }) => [name, at(name)])),
  };
  writeFileSync(at('settings.json'), JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', at('settings.json')], {
    stdio: ['ignore', 'ignore', 2],
  });
}

/** The binary that the package of the keychain loads here: the one that the package manager installed for this system. */
function keyringBinary() {
  const require = createRequire(import.meta.url);
  require('@napi-rs/keyring');
  const file = Object.keys(require.cache).find((path) => /@napi-rs.keyring-[^/\\]+[/\\][^/\\]+\.node$/.test(path));
  if (file === undefined) throw new Error('the library of the keychain has no binary for this system');
  return file;
}

async function putIntoNode() {
  copyFileSync(process.execPath, at(name));
  chmodSync(at(name), 0o755);
  strip(at(name)); // what is put in afterwards would be lost
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', at(name)]);
  await inject(at(name), 'NODE_SEA_BLOB', readFileSync(at('resource')), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
  });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', at(name)]);
}

/** Names of functions for debuggers: a tenth of the file. Where there is no such program it stays as it is. */
function strip(file) {
  if (process.platform === 'linux') spawnSync('strip', [file], { stdio: 'ignore' });
}

/** A file that nothing was put into is plain Node, which has a version too. */
function tryOut() {
  const told = execFileSync(at(name), ['--version'], { env: {}, encoding: 'utf8' });
  if (!told.startsWith('macro ')) throw new Error(`the executable is not the program: --version says ${told}`);
}
