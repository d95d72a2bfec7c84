import { createClient } from '../../client/create.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { createLiveSource } from '../../source/live.ts';
import type { Priority } from '../../state/account.ts';
import type { App, LiveHandle } from './app.ts';
import { serviceOptions } from './service.ts';

/** The configured service, with the key that belongs to it; undefined when there is none. */
export function createLiveHandle(app: App, mirror: Mirror | undefined, priority: Priority): LiveHandle | undefined {
  const options = serviceOptions(app, priority);
  if (!options) return undefined;
  const client = createClient(options);
  return { client, mirror, source: createLiveSource({ client, ...(mirror && { mirror }) }) };
}
