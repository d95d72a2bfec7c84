import type { StreamEventsRow } from './api/endpoints/release-event-delivery/stream-events.ts';
import type { StreamItem } from './api/methods.ts';
import type { MacroServer, MacroServerOptions } from './api/server.ts';
import type { FollowEventsOptions } from './api/service.ts';
import { createServiceClient } from './client/create-service-client.ts';

// The package as other programs import it. What is exported here is public: test/library/surface.md records its types.
export type { Missing, PartialMark } from '../contract/answer-members.ts';
export { MacroError } from '../errors.ts';
export type { FaultRule } from '../serve/faults/fault.ts';
export type * from './api/endpoints/index.ts';
export type * from './api/methods.ts';
export type * from './api/mirror.ts';
export type * from './api/server.ts';
export type * from './api/service.ts';
export type * from './api/webhook.ts';
export { createServiceClient as createClient } from './client/create-service-client.ts';
export { verifyWebhookRequest as verifyWebhook } from './client/verify-webhook.ts';
export {
  AuthError,
  IncompleteError,
  InterruptedError,
  MirrorError,
  NotFoundError,
  ProtocolError,
  QuotaError,
  UpstreamError,
  UsageError,
  VerificationError,
} from './errors.ts';
export { openReadMirror as openMirror } from './mirror/open-mirror.ts';

/**
 * Starts a server that answers like the service, for tests of a client. It listens on 127.0.0.1, its clock stands still, and
 * everything that it writes is gone when it is closed.
 */
export async function createMacroServer(options?: MacroServerOptions): Promise<MacroServer> {
  // A program that only asks a service loads no server.
  const { startMacroServer } = await import('./server/start-macro-server.ts');
  return startMacroServer(options);
}

/**
 * Follows the release events of a service. It connects again by itself and goes on behind the last event that came. Where
 * events may be missing it gives a `gap`: then ask the method `announcementsChanges` for what was missed.
 */
export function followEvents(options: FollowEventsOptions): AsyncIterable<StreamItem<StreamEventsRow>> {
  const { currencies, indicators, lastEventId, signal, ...service } = options;
  const query = {
    ...(currencies && { currencies }),
    ...(indicators && { indicators }),
    ...(lastEventId !== undefined && { last_event_id: lastEventId }),
  };
  return createServiceClient(service).streamEvents(query, signal && { signal });
}
