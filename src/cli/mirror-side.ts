import { MAPPINGS } from '../endpoints/index.ts';
import { openMirror } from '../mirror/open.ts';
import type { Platform } from '../platform/platform.ts';
import { createMirrorSource } from '../source/mirror.ts';
import type { MirrorSide } from './app.ts';
import { LABELS } from './labels.ts';

/** Opens a mirror file with the tables that the endpoints need. */
export async function openSide(platform: Platform, path: string, mode: 'read' | 'write'): Promise<MirrorSide> {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode });
  return { mirror, source: createMirrorSource({ mirror, labels: LABELS }) };
}
