// The machine: program and runtime, folders and their permissions, room on the disk, completions of the shell.
import { dirname, join } from 'node:path';
import { CLIENT_VERSION } from '../../../client/http/version.ts';
import { MacroError } from '../../../errors.ts';
import { isServerAddress } from '../../../mirror/core/engine.ts';
import type { App } from '../../app/app.ts';
import { SHELLS } from '../../completion/shells.ts';
import { commandsUnder } from '../tree.ts';
import { type Diagnosis, fine, noteOf, problemOf } from './look.ts';

export function programLook({ platform }: App): Diagnosis {
  return fine('program', `macro ${CLIENT_VERSION} on ${platform.runtime}, ${platform.os}`);
}

/** Folders that are there must take a file; those that are not there are made when they are needed. */
export function folderLooks({ platform, settings }: App): readonly Diagnosis[] {
  const { files, os, pid } = platform;
  const looks: Diagnosis[] = [];
  for (const folder of new Set([settings.folders.config, settings.folders.state, settings.folders.mirrors])) {
    const mode = files.mode(folder);
    if (mode === undefined) continue;
    const probe = join(folder, `.probe-${pid}`);
    try {
      files.write(probe, '', 0o600);
      files.remove(probe);
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      looks.push(problemOf('folders', error, `chmod u+rwx ${folder}`));
      continue;
    }
    if (os !== 'windows' && (mode & 0o022) !== 0)
      looks.push(noteOf('folders', `others can write into ${folder}`, `chmod go-w ${folder}`));
  }
  return looks.length > 0
    ? looks
    : [fine('folders', `${settings.folders.config} and ${settings.folders.state} can be used`)];
}

/** Below this nothing of any size can be synced. */
const MIN_ROOM_BYTES = 100_000_000;

/** A sync grows the log of the mirror, a backup and a rebuild need its size once more. */
export function diskLooks({ platform, settings }: App): readonly Diagnosis[] {
  const path = settings.mirror.value;
  if (isServerAddress(path)) return [];
  const { files } = platform;
  let folder = dirname(path);
  while (!files.exists(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const room = files.room(folder);
  if (room === undefined) return [];
  const bytes = files.size(path) ?? 0;
  const says = `${megabytes(room)} free at ${folder}`;
  const cure = 'Delete what is not needed there, or move the mirror to another disk: macro config set mirror FILE';
  if (room < MIN_ROOM_BYTES)
    return [problemOf('disk', new MacroError('mirror', `Only ${says}.`, { code: 'disk_full', hint: cure }))];
  if (room < bytes) return [noteOf('disk', `${says}, less than the mirror has: no backup fits beside it`, cure)];
  return [fine('disk', says)];
}

const megabytes = (bytes: number) => `${Math.floor(bytes / 1e6)} MB`;

/** Where each shell looks for completions of its user, and what puts them there. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  bash: ['.local/share/bash-completion/completions/macro', '.bashrc', '.bash_profile', '.bash_completion'],
  zsh: ['.zfunc/_macro', '.zshrc'],
  fish: ['.config/fish/completions/macro.fish', '.config/fish/config.fish'],
};

/** Whether Tab knows the words of this program in the shell of this user. */
export async function completionLooks({ platform }: App): Promise<readonly Diagnosis[]> {
  const { files, home, env } = platform;
  const shell = env.SHELL?.split('/').at(-1) ?? '';
  const [own = '', ...startFiles] = PLACES[shell] ?? [];
  if (own === '') return [];
  const path = join(home, own);
  const isSourced = startFiles.some((name) => {
    const file = join(home, name);
    return files.exists(file) && files.readText(file).includes('macro completion');
  });
  if (isSourced && !files.exists(path)) return [fine('completions', `installed for ${shell}`)];
  if (files.exists(path)) return [await ownScriptLook(shell, files.readText(path))];
  return [noteOf('completions', `not installed for ${shell}`, `macro completion install ${shell}`)];
}

/** A script that an older version wrote knows no newer words. */
async function ownScriptLook(name: string, installed: string): Promise<Diagnosis> {
  const shell = SHELLS.find((known) => known === name);
  const { completionScript } = await import('../../completion/script.ts');
  if (shell === undefined || installed === completionScript(shell, commandsUnder()))
    return fine('completions', `installed for ${name}`);
  return noteOf(
    'completions',
    `installed for ${name} by another version of this program`,
    `macro completion install ${name}`,
  );
}
