import { join, resolve } from 'node:path';
import type { Platform } from '../../../platform/platform.ts';

/** Where the program keeps its things, all absolute. */
export interface Folders {
  readonly config: string;
  readonly state: string;
  readonly mirrors: string;
  /** What servers issued: keys of theirs, a folder for each mirror. */
  readonly serve: string;
}

type World = Pick<Platform, 'env' | 'cwd' | 'home' | 'os'>;

/** `MACRO_HOME` holds everything; without it the folders that the platform has for such things. */
export function foldersOf(world: World): Folders {
  const { env, home, os } = world;
  if (env.MACRO_HOME) {
    const own = resolve(world.cwd, env.MACRO_HOME);
    return { config: own, state: join(own, 'state'), mirrors: join(own, 'mirrors'), serve: join(own, 'serve') };
  }
  if (os === 'macos') {
    const support = join(home, 'Library', 'Application Support', 'macro');
    return {
      config: support,
      state: join(support, 'state'),
      mirrors: join(support, 'mirrors'),
      serve: join(support, 'serve'),
    };
  }
  if (os === 'windows') {
    const roaming = join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'macro');
    const local = join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'macro');
    return {
      config: roaming,
      state: join(local, 'state'),
      mirrors: join(local, 'mirrors'),
      serve: join(local, 'serve'),
    };
  }
  const xdg = (name: string, ...otherwise: string[]) => join(absolute(env[name]) ?? join(home, ...otherwise), 'macro');
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    state: xdg('XDG_STATE_HOME', '.local', 'state'),
    mirrors: join(xdg('XDG_DATA_HOME', '.local', 'share'), 'mirrors'),
    serve: join(xdg('XDG_STATE_HOME', '.local', 'state'), 'serve'),
  };
}

/** The XDG rules ignore a relative path. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined;
}
