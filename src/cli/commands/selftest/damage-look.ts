// Bytes that a bad disk turned.
import { join } from 'node:path';
import { MacroError } from '../../../errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Diagnosis, fine, problemOf } from '../doctor/look.ts';
import { numberedCommit, openTestMirror, type SelftestBench, unsafe } from './test-mirror.ts';

const COMMITS = 100;
const DAMAGES = 15;
const PIECE_BYTES = 64;

/** Turns bytes of a file: each time the file is refused, or the check says so, or nothing that is held has changed. */
export async function damageLook({ app: { platform }, folder }: SelftestBench): Promise<Diagnosis> {
  const { files, random, clock } = platform;
  const path = join(folder, 'damaged.db');
  const mirror = await openTestMirror(platform, path);
  for (let number = 1; number <= COMMITS; number += 1) await mirror.commitPage(numberedCommit(number, clock.now()));
  mirror.close();
  const whole = files.readBytes(path);
  const hash = (await verified(platform, path))?.hash;
  let found = 0;
  for (let damage = 0; damage < DAMAGES; damage += 1) {
    const hurt = Uint8Array.from(whole);
    hurt.set(random.bytes(PIECE_BYTES), Math.floor(random.number() * (hurt.length - PIECE_BYTES)));
    files.write(path, hurt);
    const check = await verified(platform, path);
    if (!check || check.isAltered) found += 1;
    else if (check.hash !== hash) return problemOf('damage', unsafe('Damage of a page was not found'));
    for (const ending of ['', '-wal', '-shm']) files.remove(path + ending);
  }
  return fine('damage', `${DAMAGES} times bytes of a page were turned: ${found} were found, the others held nothing`);
}

/** What the check says; undefined when the file is refused. */
async function verified(platform: Platform, path: string) {
  try {
    const mirror = await openTestMirror(platform, path);
    try {
      const { findings, hash } = await mirror.verify();
      return { hash, isAltered: findings.some(({ level }) => level === 'problem') };
    } finally {
      mirror.close();
    }
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'mirror') return undefined;
    throw error;
  }
}
