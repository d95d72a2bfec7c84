// Several programs with one file: a lock that keeps others out and goes with its holder, readers beside a writer.
import { join } from 'node:path';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { type Diagnosis, fine, problemOf } from '../doctor/look.ts';
import { lastNumber, openTestMirror, playApart, type SelftestBench, soundNumber, unsafe } from './test-mirror.ts';

const READ_MS = 3_000;
const READERS = 10;

/** Another program takes the lock of a sync and is killed: it must keep us out meanwhile, and not longer. */
export async function lockLook({ app, folder }: SelftestBench): Promise<Diagnosis> {
  const { platform } = app;
  const path = join(folder, 'locked.db');
  const mirror = await openTestMirror(platform, path);
  try {
    let isKeptOut: boolean | undefined;
    // Looked for only while the other program says that it has the lock: taking it earlier would keep that one out.
    await playApart(app, 'lock', path, async () => {
      isKeptOut = await isHeld(mirror);
    });
    app.signal.throwIfAborted();
    if (isKeptOut === undefined) return problemOf('lock', unsafe(`No program could take a lock in ${folder}`));
    if (!isKeptOut) return problemOf('lock', unsafe('A lock of another program is not seen on this disk'));
    if (await isHeld(mirror)) return problemOf('lock', unsafe('A lock stays behind when its program is killed'));
    return fine('lock', 'another program keeps us out, and its lock goes when it is killed');
  } finally {
    mirror.close();
  }
}

async function isHeld(mirror: Mirror): Promise<boolean> {
  try {
    await (await mirror.lockSync()).release();
    return false;
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'busy') return true;
    throw error;
  }
}

/** Readers beside a writer: each read sees one whole commit, none goes back, and nobody is told of locks. */
export async function readersLook({ app, folder }: SelftestBench): Promise<Diagnosis> {
  const { platform } = app;
  const path = join(folder, 'shared.db');
  (await openTestMirror(platform, path)).close();
  const readers = await Promise.all(Array.from({ length: READERS }, () => openTestMirror(platform, path, 'read')));
  try {
    const seen = readers.map(() => 0);
    let reads = 0;
    const readBeside = async () => {
      const end = platform.clock.now() + READ_MS;
      do {
        for (const [i, reader] of readers.entries()) {
          const number = await lastNumber(reader);
          if (number < (seen[i] ?? 0)) throw unsafe('A reader saw an older state after a newer one');
          seen[i] = number;
          reads += 1;
        }
        await platform.clock.sleep(1, app.signal);
      } while (platform.clock.now() < end);
    };
    await playApart(app, 'write', path, readBeside);
    app.signal.throwIfAborted();
    const last = await soundNumber(platform, path);
    if (reads === 0) return problemOf('readers', unsafe(`No program could commit anything in ${folder}`));
    // Each of them read after a commit that was told to be kept.
    if (Math.min(...seen) === 0) return problemOf('readers', unsafe('A reader did not see what another program wrote'));
    return fine('readers', `${READERS} readers, ${reads} reads beside ${last} commits: one whole state each`);
  } finally {
    for (const reader of readers) reader.close();
  }
}
