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
import { pluginsWith } from './build-plugins.mjs';
import { bundleChunks, commonSettings } from './bundle.mjs';
import { ENDPOINT_GROUPS } from './endpoint-groups.mjs';
import { compressedParts } from './raster-parts.mjs';
import { root } from './sources.mjs';
import { environmentOf, QUESTIONS, ratesWithoutMeaning } from './typical-questions.mjs';

/** The driver's binary comes out of the executable. */
const driver = {
  name: 'driver',
  setup(hooks) {
    hooks.onLoad({ filter: /better-sqlite3\/lib\/binding\.js$/ }, () => ({
      contents: `import { addon } from ${JSON.stringify(join(root, 'scripts', 'executable', 'addon.mjs'))};
        export const getBinding = () => addon('driver.node');`,
    }));
  },
};

/** That of the keychain too. */
const keychain = {
  name: 'keychain',
  setup(hooks) {
    hooks.onLoad({ filter: /platform\/keyring-module\.ts$/ }, () => ({
      contents: `import { addon } from ${JSON.stringify(join(root, 'scripts', 'executable', 'addon.mjs'))};
        export const loadKeyring = () => addon('keyring.node');`,
    }));
  },
};

/** What draws a PNG stays beside the program until it is asked for. */
const rasterParts = {
  name: 'raster-parts',
  setup(hooks) {
    hooks.onLoad({ filter: /chart\/raster-parts\.ts$/ }, () => ({
      contents: `import { getRawAsset } from 'node:sea';
        export const rasterParts = () => ({ renderer: new Uint8Array(getRawAsset('renderer')), font: new Uint8Array(getRawAsset('font')) });`,
    }));
  },
};

const queryProcess = {
  name: 'query-process',
  setup(hooks) {
    hooks.onLoad({ filter: /sql\/query-process\.ts$/ }, () => ({
      contents: readFileSync(join(root, 'scripts', 'executable', 'query-process.mjs'), 'utf8'),
      resolveDir: join(root, 'scripts', 'executable'),
    }));
  },
};

const folder = resolve(process.argv[2] ?? join(root, 'executable'));
const name = process.platform === 'win32' ? 'macro.exe' : 'macro';
const workplace = join(folder, `.making-${process.pid}`);
const at = (file) => join(workplace, file);

mkdirSync(workplace, { recursive: true });
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));
await bundleProgram();
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
async function bundleProgram() {
  const entries = { main: 'scripts/executable/main.mjs', ...ENDPOINT_GROUPS };
  const plugins = pluginsWith([rasterParts, driver, keychain, queryProcess]);
  await bundleChunks({ entries, folder: at('chunks'), plugins });
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
  const rates = join(home, 'rates.csv');
  mkdirSync(home);
  writeFileSync(rates, ratesWithoutMeaning());
  const run = (lines, ...keep) =>
    execFileSync(process.execPath, [compiler, workplace, JSON.stringify(lines), ...keep], {
      cwd: home,
      env: environmentOf(home, join(home, 'rates.db')),
      stdio: ['ignore', 'ignore', 2],
    });
  // In a process of its own: what only an import runs is not loaded by each question.
  run([['import', 'ecb', rates]]);
  run([['--version'], ...QUESTIONS], 'keep');
}

/** The native libraries, and what draws a PNG. */
function takeLibraries() {
  const packaged = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const { getPrebuildPath } = createRequire(import.meta.url)(join(packaged, 'lib', 'binding.js'));
  copyFileSync(getPrebuildPath(), at('driver.node'));
  strip(at('driver.node'));
  copyFileSync(keyringBinary(), at('keyring.node'));
  strip(at('keyring.node'));
  for (const [part, bytes] of Object.entries(compressedParts())) writeFileSync(at(part), bytes);
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
