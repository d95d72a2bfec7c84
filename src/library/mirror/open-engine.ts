import { LOADED_MAPPINGS, loadEndpoints, loadedEndpoints } from '../../endpoints/find.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { type OpenOptions, openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';

export type OpenEngineOptions = Pick<OpenOptions, 'path' | 'mode' | 'busyTimeout'>;

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
