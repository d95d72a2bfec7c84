import { LOADED_MAPPINGS, loadEndpoints, loadedEndpoints } from '../../endpoints/find.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { type OpenOptions, openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';

export type OpenEngineOptions = Pick<OpenOptions, 'path' | 'mode' | 'busyTimeout'>;

/** As `engines` of package.json says. */
const MIN_MAJOR = 22;
const MIN_MINOR = 19;

/** Opens a mirror with the tables that the endpoints need. Nothing of the server's driver is loaded for a file. */
export async function openEngine(platform: Platform, { path, ...how }: OpenEngineOptions): Promise<Mirror> {
  // A question has loaded what it reads; a writer may meet series of every endpoint.
  if (how.mode === 'write' || loadedEndpoints().length === 0) await loadEndpoints();
  if (!isServerAddress(path)) return openMirror({ ...how, path, mappings: LOADED_MAPPINGS, platform });
  const postgres = await import('../../mirror/postgres/open.ts');
  return postgres.openServerMirror({ ...how, address: path, mappings: LOADED_MAPPINGS, platform });
}

/** Makes all that a mirror on a server may ever need, and lets a role use it. @throws MacroError of kind `mirror`. */
export async function prepareEngine(platform: Platform, address: string, role: string | undefined) {
  await loadEndpoints();
  const { prepareServerMirror } = await import('../../mirror/postgres/prepare.ts');
  return prepareServerMirror({ address, mappings: LOADED_MAPPINGS, platform }, role);
}

/**
 * Refuses a Node in which the database driver ends the process.
 * @throws A MacroError `usage` with the code `old_node`.
 */
export function requireNode({ runtime }: Pick<Platform, 'runtime'>): void {
  const version = runtime.replace(/^\D+/, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_MAJOR || (major === MIN_MAJOR && minor >= MIN_MINOR)) return;
  throw new MacroError('usage', `A mirror needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer; this is ${version}.`, {
    code: 'old_node',
    hint: 'Run your program with a newer Node.',
  });
}
