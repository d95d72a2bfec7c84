// `/metrics` of a server: what a Prometheus of this machine reads.
import type { FastifyInstance } from 'fastify';
import { MacroError } from '../errors.ts';
import { identify } from './access/authorize.ts';
import type { ServerParts } from './options.ts';
import { fail } from './reply/fail.ts';
import { addHeader } from './reply/header-list.ts';
import { commonHeaders, send } from './reply/send.ts';
import { openRequest, type ServedRequest } from './request.ts';
import type { ServedRoute } from './routes.ts';
import type { ServeState } from './state.ts';

/** Where it stands; it costs no quota. */
export const METRICS_PAGE: Pick<ServedRoute, 'paths' | 'methods'> = { paths: ['/metrics'], methods: ['GET', 'HEAD'] };

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Adds the page where somebody collects metrics. Where a list of keys says who may ask, it says so here too. */
export function addMetricsPage(app: FastifyInstance, serve: ServeState, { metrics, options }: ServerParts): void {
  if (!metrics) return;
  for (const url of METRICS_PAGE.paths)
    app.route({
      method: [...METRICS_PAGE.methods],
      url,
      handler: async (request, reply) => {
        const served = openRequest(serve, request, reply);
        try {
          requireKey(served, options);
          sendMetrics(served, await metrics());
        } catch (error) {
          fail(served, await serve.explain(error));
        }
      },
    });
}

function requireKey(served: ServedRequest, { keys, open }: ServerParts['options']): void {
  const { caller } = identify(served);
  if (!keys || open || caller.kind === 'keyed') return;
  throw new MacroError('auth', 'Metrics of this server need one of its keys.', {
    status: 401,
    code: 'api_key_required',
  });
}

function sendMetrics(served: ServedRequest, text: string): void {
  const list = commonHeaders(served);
  addHeader(list, 'Content-Type', TEXT_FORMAT);
  addHeader(list, 'Cache-Control', 'no-store');
  send(served, 200, list, text);
}
