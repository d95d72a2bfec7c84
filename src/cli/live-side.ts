import { createClient } from '../client/create.ts';
import { createQuotaGate } from '../client/gate.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Platform } from '../platform/platform.ts';
import { createLiveSource } from '../source/live.ts';
import type { LiveSide } from './app.ts';
import { findKey } from './settings/keys.ts';
import type { Settings } from './settings/settings.ts';

/** The configured service, with the key that belongs to it; undefined when there is none. */
export function createLiveSide(
  platform: Platform,
  settings: Settings,
  mirror: Mirror | undefined,
): LiveSide | undefined {
  const { baseUrl, headerPrefix, folders } = settings;
  if (baseUrl.value === undefined) return undefined;
  const found = findKey(platform, folders, baseUrl.value);
  const client = createClient({
    platform,
    baseUrl: baseUrl.value,
    ...(found && { key: found.key }),
    gate: createQuotaGate({ clock: platform.clock, headerPrefix: headerPrefix.value }),
    headerPrefix: headerPrefix.value,
  });
  return { client, mirror, source: createLiveSource({ client, ...(mirror && { mirror }) }) };
}
