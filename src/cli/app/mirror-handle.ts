import { type OpenEngineOptions, openEngine } from '../../library/mirror/open-engine.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Platform } from '../../platform/platform.ts';
import { LABELS } from '../../source/labels.ts';
import { createMirrorSource, type MirrorSourceOptions } from '../../source/mirror.ts';
import type { Source } from '../../source/source.ts';

/** How a mirror is opened. */
export interface OpenHandleOptions extends OpenEngineOptions {
  readonly onUnwatched?: MirrorSourceOptions['onUnwatched'];
}

/** Opens a mirror and what answers from it. */
export async function openMirrorHandle(
  platform: Platform,
  { onUnwatched, ...ask }: OpenHandleOptions,
): Promise<MirrorHandle> {
  const mirror = await openEngine(platform, ask);
  return { mirror, source: createMirrorSource({ mirror, labels: LABELS, ...(onUnwatched && { onUnwatched }) }) };
}

export interface MirrorHandle {
  readonly mirror: Mirror;
  readonly source: Source;
}
