// Several programs with one file: a lock that keeps others out and goes with its holder, readers beside a writer.
import { join } from 'node:path';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { type Diagnosis, fine, problemOf } from '../doctor/look.ts';
import { lastNumber, openTestMirror, type SelftestBench, soundNumber, startPart, unsafe } from './test-mirror.ts';

const HELD_MS = 3_000;
const WRITTEN_MS = 3_000;
const PAUSE_MS = 20;
const READERS = 10;

/** Another program takes the lock of a sync and is killed: it must keep us out meanwhile, and not longer. */
export async function lockLook({ app, folder }: SelftestBench): Promise<Diagnosis> {
  const { platform } = app;
  const path = join(folder, 'locked.db');
  const mirror = await openTestMirror(platform, path);
  try {
    let isOver = false;
    const other = startPart(app, 'lock', path, HELD_MS).finally(() => {
      isOver = true;
    });
    let refusals = 0;
    while (!isOver) {
      if (await isHeld(mirror)) refusals += 1;
      await platform.clock.sleep(PAUSE_MS, app.signal);
    }
    await other;
    if (refusals === 0) return problemOf('lock', unsafe('A lock of another program is not seen on this disk'));
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
    let isOver = false;
    const writer = startPart(app, 'write', path, WRITTEN_MS).finally(() => {
      isOver = true;
    });
    const seen = readers.map(() => 0);
    let reads = 0;
    while (!isOver) {
      for (const [i, reader] of readers.entries()) {
        const number = await lastNumber(reader);
        if (number < (seen[i] ?? 0))
          return problemOf('readers', unsafe('A reader saw an older state after a newer one'));
        seen[i] = number;
        reads += 1;
      }
      await platform.clock.sleep(1, app.signal);
    }
    await writer;
    const last = await soundNumber(platform, path);
    if (Math.max(...seen) === 0) return problemOf('readers', unsafe('No reader saw what another program wrote'));
    return fine('readers', `${READERS} readers, ${reads} reads beside ${last} commits: one whole state each`);
  } finally {
    for (const reader of readers) reader.close();
  }
}
