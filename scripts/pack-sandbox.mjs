// Makes the data set that servers for tests begin with, once for each state of the sources that decide what is in it.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { bundle } from './bundle.mjs';
import { root } from './sources.mjs';

/** Kept between builds: to fill a sandbox takes seconds. */
const KEPT = join(root, 'node_modules', '.macro-sandbox');

/** Level of the compression: the smallest file that does not keep a build waiting. */
const LEVEL = 15;

/** Writes the packed file to `target`. `workplace` is a folder that does not exist yet; whoever calls removes it. */
export async function packSandbox(workplace, target) {
  const folder = join(workplace, 'dist');
  const name = 'prepared-sandbox';
  await bundle({ entries: { [name]: `src/library/server/${name}.ts` }, folder });
  const code = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)));
  const kept = join(KEPT, `${createHash('sha256').update(Buffer.concat(code)).digest('hex').slice(0, 16)}.zst`);
  if (!existsSync(kept)) {
    const { makeSandbox, PREPARED_DAY } = await import(pathToFileURL(join(folder, `${name}.js`)).href);
    const path = join(workplace, 'sandbox.db');
    await makeSandbox(
      { clock: { now: () => PREPARED_DAY }, random: { bytes: (count) => new Uint8Array(count) } },
      path,
      PREPARED_DAY,
    );
    keep(compacted(path), kept);
  }
  copyFileSync(kept, target);
}

/** The bytes of the file without what is free in it. */
function compacted(path) {
  const db = new Database(path);
  try {
    db.exec(`vacuum into '${path}.small'`);
  } finally {
    db.close();
  }
  return readFileSync(`${path}.small`);
}

function keep(bytes, kept) {
  rmSync(KEPT, { recursive: true, force: true });
  mkdirSync(KEPT, { recursive: true });
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  writeFileSync(`${kept}.${process.pid}`, zstdCompressSync(bytes, { params }));
  renameSync(`${kept}.${process.pid}`, kept);
}
