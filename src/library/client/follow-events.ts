import type { StreamEventsRow } from '../api/endpoints/release-event-delivery/stream-events.ts';
import type { StreamItem } from '../api/methods.ts';
import type { FollowEventsOptions } from '../api/service.ts';
import { createServiceClient } from './create-service-client.ts';

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
