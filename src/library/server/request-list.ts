import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SeenRequest } from '../api/server.ts';

/** The requests that a server took. */
export interface RequestList {
  note(request: IncomingMessage, response: ServerResponse, now: number): void;
  all(): readonly SeenRequest[];
  /** Ends the answers that are under way. */
  cut(): void;
}

export function createRequestList(): RequestList {
  const seen: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly at: number }[] = [];
  const isUnderWay = (response: ServerResponse) => !response.writableFinished && !response.destroyed;
  return {
    note: (request, response, at) => void seen.push({ request, response, at }),
    all: () =>
      seen.map(({ request: { method = '', url = '', headers }, response, at }) => ({
        ...{ method, url, headers, at: new Date(at) },
        status: response.headersSent ? response.statusCode : undefined,
      })),
    cut() {
      for (const { response } of seen) if (isUnderWay(response)) response.destroy();
    },
  };
}
