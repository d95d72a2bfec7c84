// The database driver's binary. The system loads a library from a file only, so the executable writes it once into the user's
// cache folder, and where it cannot, into a folder that goes with the process.
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { getRawAsset } from 'node:sea';
import { QUERY_WORD } from './query-process.mjs';

const IS_WINDOWS = process.platform === 'win32';

let loaded;

/** The driver, loaded. */
export function addon() {
  if (loaded === undefined) {
    const module = { exports: {} };
    process.dlopen(module, addonFile());
    loaded = module.exports;
  }
  return loaded;
}

/** The file of the driver: written when it is not there as this executable carries it. */
export function addonFile() {
  const binary = Buffer.from(getRawAsset('driver.node'));
  const kept = process.argv[2] === QUERY_WORD ? process.argv[3] : join(cacheFolder(), 'driver.node');
  try {
    if (!isOurs(kept, binary)) write(kept, binary);
    if (isOurs(kept, binary)) return kept;
  } catch {
    // A home that is read-only, full or not there keeps nobody from reading a mirror.
  }
  const passing = mkdtempSync(join(tmpdir(), 'macro-'));
  process.on('exit', () => rmSync(passing, { recursive: true, force: true }));
  const file = join(passing, 'driver.node');
  writeFileSync(file, binary, { mode: 0o500 });
  return file;
}

/** The same bytes, in a folder and a file that nobody else may write: what is loaded here runs as the user. */
function isOurs(file, binary) {
  if (![dirname(file), file].every(isPrivate)) return false;
  return lstatSync(file).size === binary.length && readFileSync(file).equals(binary);
}

function isPrivate(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return false;
  return IS_WINDOWS || (found.uid === userInfo().uid && (found.mode & 0o022) === 0);
}

/** Under a name of its own first: two programs may start at once. */
function write(file, binary) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, binary, { flag: 'wx', mode: 0o500 });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function cacheFolder() {
  const { MACRO_HOME, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (MACRO_HOME) return resolve(MACRO_HOME, 'cache');
  if (IS_WINDOWS && LOCALAPPDATA) return join(LOCALAPPDATA, 'macro', 'Cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'macro');
  return join(XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'macro');
}
