// Pages of a server that are no routes of the contract and need no more than a few lines: where people look first, what a
// supervisor or a balancer asks, and what a Prometheus of this machine reads. None of them costs quota.
import type { FastifyInstance } from 'fastify';
import { MacroError } from '../errors.ts';
import { identify } from './access/authorize.ts';
import type { ServerParts } from './options.ts';
import { fail } from './reply/fail.ts';
import { addHeader } from './reply/header-list.ts';
import { commonHeaders, send } from './reply/send.ts';
import { openRequest, type ServedRequest } from './request.ts';
import { DOCUMENT, type ServedRoute } from './routes.ts';
import type { ServeState } from './state.ts';

/** A page and what answers it. What it throws is told in the service's shape. */
export interface OwnPage extends Pick<ServedRoute, 'paths' | 'methods'> {
  answer(served: ServedRequest, path: string): void | Promise<void>;
}

const READ = ['GET', 'HEAD'] as const;
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const ANY_SERIES = { endpoint: 'announcements_changes', scope: {} };

/** The pages of a server of these parts. */
export function ownPages(parts: ServerParts, isClosing: () => boolean): readonly OwnPage[] {
  const { metrics, options, pages } = parts;
  return [
    ...(pages ? [] : [{ paths: ['/', '/docs'], methods: READ, answer: showFrontPage }]),
    ...(metrics ? [metricsPage(metrics, options)] : []),
    healthPages(parts, isClosing),
  ];
}

export function addOwnPage(app: FastifyInstance, serve: ServeState, { paths, methods, answer }: OwnPage): void {
  for (const url of paths)
    app.route({
      method: [...methods],
      url,
      handler: async (request, reply) => {
        const served = openRequest(serve, request, reply);
        try {
          await answer(served, url);
        } catch (error) {
          fail(served, error);
        }
        return reply;
      },
    });
}

/** Tells a person in a few lines where to go on. It needs no key. */
function showFrontPage(served: ServedRequest): void {
  const { service } = served.serve.labels;
  const lines = [
    `${service}: an HTTP interface to macroeconomic data.`,
    '',
    `All routes, their parameters and answers: ${DOCUMENT}`,
    'Whether it is up: /v1/ping',
  ];
  sendText(served, 'text/plain; charset=utf-8', `${lines.join('\n')}\n`);
}

/** The program lives when `/healthz` answers; it can answer questions when `/readyz` is 200. Neither needs a key. */
function healthPages({ mirror }: Pick<ServerParts, 'mirror'>, isClosing: () => boolean): OwnPage {
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
  return {
    paths: ['/healthz', '/readyz'],
    methods: READ,
    async answer(served, path) {
      const detail = path === '/readyz' ? await problem() : undefined;
      const list = commonHeaders(served);
      addHeader(list, 'Cache-Control', 'no-store');
      if (detail === undefined) return send(served, 200, list, JSON.stringify({ status: 'ok' }));
      addHeader(list, 'Retry-After', 1);
      send(served, 503, list, JSON.stringify({ status: 'unavailable', detail }));
    },
  };
}

/** Where a list of keys says who may ask, it says so here too. */
function metricsPage(metrics: NonNullable<ServerParts['metrics']>, { keys, open }: ServerParts['options']): OwnPage {
  return {
    paths: ['/metrics'],
    methods: READ,
    async answer(served) {
      try {
        const { caller } = identify(served);
        if (keys && !open && caller.kind !== 'keyed') throw needsKeyError();
        sendText(served, TEXT_FORMAT, await metrics());
      } catch (error) {
        throw await served.serve.explain(error);
      }
    },
  };
}

const needsKeyError = () =>
  new MacroError('auth', 'Metrics of this server need one of its keys.', { status: 401, code: 'api_key_required' });

function sendText(served: ServedRequest, type: string, text: string): void {
  const list = commonHeaders(served);
  addHeader(list, 'Content-Type', type);
  addHeader(list, 'Cache-Control', 'no-store');
  send(served, 200, list, text);
}
