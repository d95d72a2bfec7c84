import { MAPPINGS } from '../endpoints/index.ts';
import { type OpenOptions, openMirror } from '../mirror/open.ts';
import type { Platform } from '../platform/platform.ts';
import { createMirrorSource } from '../source/mirror.ts';
import type { MirrorSide } from './app.ts';
import { LABELS } from './labels.ts';

/** How a mirror is opened. */
export interface SideAsk extends Pick<OpenOptions, 'mode' | 'busyTimeout'> {
  readonly path: string;
}

/** Opens a mirror file with the tables that the endpoints need. */
export async function openSide(platform: Platform, ask: SideAsk): Promise<MirrorSide> {
  const mirror = await openMirror({ ...ask, mappings: MAPPINGS, platform });
  return { mirror, source: createMirrorSource({ mirror, labels: LABELS }) };
}
