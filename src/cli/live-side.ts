import { createClient } from '../client/create.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Platform } from '../platform/platform.ts';
import { createLiveSource } from '../source/live.ts';
import type { LiveSide } from './app.ts';
import { serviceOptions } from './service.ts';
import type { Settings } from './settings/settings.ts';

/** The configured service, with the key that belongs to it; undefined when there is none. */
export function createLiveSide(
  platform: Platform,
  settings: Settings,
  mirror: Mirror | undefined,
): LiveSide | undefined {
  const options = serviceOptions(platform, settings);
  if (!options) return undefined;
  const client = createClient(options);
  return { client, mirror, source: createLiveSource({ client, ...(mirror && { mirror }) }) };
}
