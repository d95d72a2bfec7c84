// The binaries of the database driver and of the keychain. The system loads a library from a file only, so the executable
// writes it once into the user's cache folder, and where it cannot, into a folder that goes with the process.
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { getRawAsset } from 'node:sea';
import { QUERY_WORD } from './query-process.mjs';

const IS_WINDOWS = process.platform === 'win32';

const loaded = new Map();

/** A library that the executable carries, loaded. */
export function addon(name) {
  if (!loaded.has(name)) {
    const module = { exports: {} };
    process.dlopen(module, addonFile(name));
    loaded.set(name, module.exports);
  }
  return loaded.get(name);
}

/** The file of a library: written when it is not there as this executable carries it. */
export function addonFile(name = 'driver.node') {
  const binary = Buffer.from(getRawAsset(name));
  const isGiven = name === 'driver.node' && process.argv[2] === QUERY_WORD;
  const kept = isGiven ? process.argv[3] : join(cacheFolder(), name);
  try {
    if (!isOurs(kept, binary)) write(kept, binary);
    if (isOurs(kept, binary)) return kept;
  } catch {
    // A home that is read-only, full or not there keeps nobody from reading a mirror.
  }
  const passing = mkdtempSync(join(tmpdir(), 'macro-'));
  process.on('exit', () => rmSync(passing, { recursive: true, force: true }));
  const file = join(passing, name);
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
