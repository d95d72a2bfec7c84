import { MAPPINGS } from '../../endpoints/index.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/core/engine.ts';
import { type OpenOptions, openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';
import { createMirrorSource, type MirrorSourceOptions } from '../../source/mirror.ts';
import type { Source } from '../../source/source.ts';

import { LABELS } from './labels.ts';

/** How a mirror is opened. */
export interface OpenHandleOptions extends Pick<OpenOptions, 'mode' | 'busyTimeout'> {
  /** Of the file, or the address of the server. */
  readonly path: string;
  readonly onUnwatched?: MirrorSourceOptions['onUnwatched'];
}

/** Opens a mirror with the tables that the endpoints need. */
export async function openMirrorHandle(
  platform: Platform,
  { onUnwatched, ...ask }: OpenHandleOptions,
): Promise<MirrorHandle> {
  const mirror = isServerAddress(ask.path)
    ? await openOnServer(platform, ask)
    : await openMirror({ ...ask, mappings: MAPPINGS, platform });
  return { mirror, source: createMirrorSource({ mirror, labels: LABELS, ...(onUnwatched && { onUnwatched }) }) };
}

/** Nothing of the driver is loaded for a file. */
async function openOnServer(
  platform: Platform,
  { path, ...ask }: Omit<OpenHandleOptions, 'onUnwatched'>,
): Promise<Mirror> {
  const postgres = await import('../../mirror/postgres/open.ts');
  return postgres.openServerMirror({ ...ask, address: path, mappings: MAPPINGS, platform });
}

export interface MirrorHandle {
  readonly mirror: Mirror;
  readonly source: Source;
}
