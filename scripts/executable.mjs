// Makes the program, its native libraries and Node one file, for the system that this runs on: executable/macro, or in the folder
// that is named. Node's own way of single executables: the bundle becomes a resource of a copy of the Node of the checkout.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';
import { builtins, faces, plottingLibrary } from './build-plugins.mjs';
import { commonSettings } from './bundle.mjs';
import { pageAssets } from './page-assets.mjs';
import { compressedParts } from './raster-parts.mjs';
import { root } from './sources.mjs';

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
    hooks.onLoad({ filter: /platform\/keychain\/keyring-module\.ts$/ }, () => ({
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
await bundleWhole();
makeResource();
await putIntoNode();
tryOut();
renameSync(at(name), join(folder, name));
process.stdout.write(
  `${relative(process.cwd(), join(folder, name))}: ${Math.round(statSync(join(folder, name)).size / 1e6)} MB\n`,
);

/** One file of CommonJS: the only form that Node starts from a resource and whose compiled code it keeps beside it. */
async function bundleWhole() {
  await build({
    ...commonSettings(),
    entryPoints: [join(root, 'scripts', 'executable', 'main.mjs')],
    outfile: at('main.cjs'),
    format: 'cjs',
    plugins: [builtins, faces, plottingLibrary, rasterParts, pageAssets, driver, keychain, queryProcess],
  });
}

function makeResource() {
  const packaged = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const { getPrebuildPath } = createRequire(import.meta.url)(join(packaged, 'lib', 'binding.js'));
  copyFileSync(getPrebuildPath(), at('driver.node'));
  strip(at('driver.node'));
  copyFileSync(keyringBinary(), at('keyring.node'));
  strip(at('keyring.node'));
  for (const [part, bytes] of Object.entries(compressedParts())) writeFileSync(at(part), bytes);
  const settings = {
    main: at('main.cjs'),
    output: at('resource'),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(['driver.node', 'keyring.node', 'renderer', 'font'].map((part) => [part, at(part)])),
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
