// `macro selftest`: a mirror of its own is killed, locked and damaged on the disk of whoever asks.
import { dirname, join, resolve } from 'node:path';
import { MacroError } from '../../../errors.ts';
import { isServerAddress } from '../../../mirror/core/engine.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../output/own-listing.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { type Diagnosis, fine, lookSafely, problemOf } from '../doctor/look.ts';
import { crashLook, cutLogLook } from './crash-looks.ts';
import { damageLook } from './damage-look.ts';
import { lockLook, readersLook } from './sharing-looks.ts';
import { PART_VARIABLE, playPart } from './test-mirror.ts';

const COLUMNS = ['check', 'state', 'says', 'do'] as const;

/** All of it fits into this many times over. */
const MIN_ROOM_BYTES = 200_000_000;

const LOOKS = { kills: crashLook, log: cutLogLook, lock: lockLook, readers: readersLook, damage: damageLook };

/**
 * Looks in the order in which things rest on each other, prints one line for each, and leaves nothing behind.
 * @throws MacroError the first problem found, after the lines are printed
 */
export async function runSelftest(app: App, call: Call): Promise<void> {
  const part = app.platform.env[PART_VARIABLE];
  if (part !== undefined) return playPart(app, part);
  const disk = diskOf(app, call);
  const { files, pid } = app.platform;
  const looks: Diagnosis[] = [roomLook(app, disk)];
  const folder = join(disk, `.macro-selftest-${pid}`);
  if (looks.every(({ error }) => !error)) {
    files.makeFolder(folder, 0o700);
    try {
      for (const [check, look] of Object.entries(LOOKS))
        looks.push(...(await lookSafely(check, async () => [await look({ app, folder })])));
    } finally {
      files.remove(folder);
    }
  }
  const rows = looks.map(({ error: _, ...look }) => ({ ...look, do: look.do ?? null }));
  await app.print(listOwn({ columns: COLUMNS, rows, title: ['selftest', disk], beside: { disk } }));
  const broken = looks.find(({ error }) => error);
  if (broken?.error) throw broken.error;
}

/** The folder that was named, or the nearest one of the mirror that is there. */
function diskOf({ platform: { files, cwd }, settings }: App, call: Call): string {
  const named = textOption(call.options, 'disk');
  if (named !== undefined) {
    const folder = resolve(cwd, named);
    if (files.exists(folder) && !files.look(folder)?.isFile) return folder;
    throw new MacroError('usage', `There is no folder ${folder}.`, {
      code: 'bad_arguments',
      hint: 'Name a folder that is there: --disk .',
    });
  }
  const path = settings.mirror.value;
  let folder = isServerAddress(path) ? settings.folders.mirrors : dirname(resolve(cwd, path));
  while (!files.exists(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function roomLook({ platform: { files } }: App, disk: string): Diagnosis {
  const room = files.room(disk);
  if (room === undefined || room >= MIN_ROOM_BYTES)
    return fine('disk', room === undefined ? disk : `${Math.floor(room / 1e6)} MB free at ${disk}`);
  const message = `Only ${Math.floor(room / 1e6)} MB are free at ${disk}: the checks need ${MIN_ROOM_BYTES / 1e6} MB.`;
  return problemOf(
    'disk',
    new MacroError('mirror', message, { code: 'disk_full', hint: 'Name another disk: --disk .' }),
  );
}
