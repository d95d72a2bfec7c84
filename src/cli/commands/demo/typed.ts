import { join } from 'node:path';
import type { Platform } from '../../../platform/platform.ts';

type World = Pick<Platform, 'files' | 'env' | 'cwd' | 'home' | 'os'>;

/** How this program is called from where the person stands: in a checkout it is not on the path. */
export function programName({ files, env, cwd }: World): string {
  const isCheckout = files.exists(join(cwd, 'bin', 'macro.js')) && files.exists(join(cwd, 'src', 'main.ts'));
  return isCheckout || env.npm_lifecycle_event === 'start' ? 'node bin/macro.js' : 'macro';
}

/** A path as it is typed in a shell: short where it can be, quoted where it must. */
export function typedPath(path: string, { cwd, home, os }: World): string {
  if (os === 'windows') return /^[\w.:\\/-]+$/.test(path) ? path : `"${path}"`;
  const inside = (folder: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined);
  const near = inside(cwd);
  if (near !== undefined) return escaped(near.startsWith('-') ? `./${near}` : near);
  const own = inside(home);
  return own === undefined ? escaped(path) : `~/${escaped(own)}`;
}

/** A backslash before everything that a shell could take for more than a letter. */
function escaped(path: string): string {
  return path.replace(/[^\w./@%+=:,-]/g, '\\$&');
}
