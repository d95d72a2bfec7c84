// `/healthz` and `/readyz` of a server: what a supervisor or a balancer asks.
import type { FastifyInstance } from 'fastify';
import type { ServerParts } from './options.ts';
import { addHeader } from './reply/header-list.ts';
import { commonHeaders, send } from './reply/send.ts';
import { openRequest, type ServedRequest } from './request.ts';
import type { ServedRoute } from './routes.ts';
import type { ServeState } from './state.ts';

/** Where they stand. They need no key and cost no quota. */
export const HEALTH_PAGES: Pick<ServedRoute, 'paths' | 'methods'> = {
  paths: ['/healthz', '/readyz'],
  methods: ['GET', 'HEAD'],
};

const ANY_SERIES = { endpoint: 'announcements_changes', scope: {} };

/** Adds both pages. The program lives when `/healthz` answers; it can answer questions when `/readyz` is 200. */
export function addHealthPages(
  app: FastifyInstance,
  serve: ServeState,
  { mirror, isClosing }: { readonly mirror: ServerParts['mirror'] | undefined; readonly isClosing: () => boolean },
): void {
  const problem = async (): Promise<string | undefined> => {
    if (isClosing()) return 'the server is stopping';
    try {
      await mirror?.find(ANY_SERIES);
      return undefined;
    } catch {
      // Why is told to whoever runs the server; nobody else needs it.
      return 'the mirror cannot be read';
    }
  };
  for (const url of HEALTH_PAGES.paths)
    app.route({
      method: [...HEALTH_PAGES.methods],
      url,
      handler: async (request, reply) => {
        sendHealth(openRequest(serve, request, reply), url === '/readyz' ? await problem() : undefined);
      },
    });
}

function sendHealth(served: ServedRequest, problem: string | undefined): void {
  const list = commonHeaders(served);
  addHeader(list, 'Cache-Control', 'no-store');
  if (problem !== undefined) addHeader(list, 'Retry-After', 1);
  const body = problem === undefined ? { status: 'ok' } : { status: 'unavailable', detail: problem };
  send(served, problem === undefined ? 200 : 503, list, JSON.stringify(body));
}
