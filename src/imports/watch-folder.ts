/** Files that are dropped into a folder, each reported once it is whole. */
import { join } from 'node:path';
import type { Files } from '../platform/platform.ts';

/** How long a file must be as it is before it counts as whole, in milliseconds. */
export const REST_MS = 5000;

export interface FolderLook {
  /** Names of files unchanged since the previous check, and not yet reported in this state. */
  readonly resting: readonly string[];
  /** Names of files that may still be written. */
  readonly moving: readonly string[];
}

export interface FolderWatch {
  /** Looks at the folder; looks are `REST_MS` apart. */
  look(): FolderLook;
  /** Tells a file at the next check again. */
  again(name: string): void;
}

/** Names that programs give to files on their way, and files that are hidden. */
const PASSING = /^[.~]|\.(?:tmp|temp|part|partial|crdownload|download|swp)$|~$/i;

/** Watches by size and time of change: a file that is renamed into place is whole, and at rest as well. */
export function watchFolder(files: Pick<Files, 'list' | 'look'>, folder: string): FolderWatch {
  let before = new Map<string, string>();
  const reported = new Map<string, string>();
  return {
    look() {
      const now = statesOf(files, folder);
      const fresh = [...now].filter(([name, state]) => reported.get(name) !== state);
      const resting = fresh.filter(([name, state]) => before.get(name) === state);
      for (const [name, state] of resting) reported.set(name, state);
      const moving = fresh.filter(([name, state]) => before.get(name) !== state);
      before = now;
      return { resting: resting.map(([name]) => name), moving: moving.map(([name]) => name) };
    },
    again: (name) => void reported.delete(name),
  };
}

function statesOf(files: Pick<Files, 'list' | 'look'>, folder: string): Map<string, string> {
  const states = new Map<string, string>();
  for (const name of files.list(folder)) {
    if (PASSING.test(name)) continue;
    const found = files.look(join(folder, name));
    // Whoever makes an empty file is about to fill it.
    if (found?.isFile && found.bytes > 0) states.set(name, `${found.bytes} ${found.changedAt}`);
  }
  return states;
}
