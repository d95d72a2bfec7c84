import { MAPPINGS } from '../../endpoints/index.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { type OpenOptions, openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';

/** The path of the file, or the address of the server, and how it is opened. */
export type OpenEngineOptions = Pick<OpenOptions, 'path' | 'mode' | 'busyTimeout'>;

/** Opens a mirror with the tables that the endpoints need. Nothing of the server's driver is loaded for a file. */
export async function openEngine(platform: Platform, { path, ...how }: OpenEngineOptions): Promise<Mirror> {
  if (!isServerAddress(path)) return openMirror({ ...how, path, mappings: MAPPINGS, platform });
  const postgres = await import('../../mirror/postgres/open.ts');
  return postgres.openServerMirror({ ...how, address: path, mappings: MAPPINGS, platform });
}
