import type { Wire } from '../../client/http/wire.ts';
import { followStream } from '../../client/stream/follow.ts';
import type { StreamMessage } from '../../client/stream/messages.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CallOptions, StreamItem } from '../api/methods.ts';
import { classedItems } from '../errors.ts';
import { type GivenArguments, readArguments } from '../questions/read-arguments.ts';

export interface StreamMethodParts extends Pick<Platform, 'clock' | 'random'> {
  readonly wire: Wire;
}

/** The method of a stream: it gives what comes until the caller stops taking, or the service says that there is no more. */
export function streamMethod(endpoint: Endpoint, parts: StreamMethodParts) {
  return (given: GivenArguments = {}, { signal }: CallOptions = {}): AsyncIterable<StreamItem<unknown>> =>
    classedItems(async function* () {
      const { sent } = readArguments(endpoint, given, { now: parts.clock.now() });
      // It moves with each event, so it goes into the header of each connection and not into the address of all of them.
      const { last_event_id: last, ...parameters } = sent;
      const begin = typeof last === 'string' ? { lastEventId: last } : {};
      for await (const message of followStream(parts, {
        endpoint,
        args: parameters,
        ...begin,
        ...(signal && { signal }),
      })) {
        const item = itemOf(message);
        if (item) yield item;
      }
    });
}

function itemOf(message: StreamMessage): StreamItem<unknown> | undefined {
  switch (message.kind) {
    case 'beat':
      return undefined;
    case 'event': {
      const { row, synthetic } = message;
      return { kind: 'event', id: String(row.value.event_id), event: row.value, text: row.text, synthetic };
    }
    case 'unreadable':
      // An event that cannot be read is missing, as one that never came is.
      return { kind: 'gap', reason: 'unreadable' };
    default:
      return message;
  }
}
