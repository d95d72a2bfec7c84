// Pages of a server outside the contract: pages for people, health checks, Prometheus metrics and tools for language
// models.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAPPINGS } from '../endpoints/index.ts';
import { MacroError } from '../errors.ts';
import { authorize, identify } from './access/authorize.ts';
import { createHostRule, foreignHost } from './access/hosts.ts';
import type { ServerParts } from './options.ts';
import type { PageContext } from './pages/show-page.ts';
import { fail } from './reply/fail.ts';
import { addHeader } from './reply/header-list.ts';
import { commonHeaders, send } from './reply/send.ts';
import { openRequest, type ServedRequest } from './request.ts';
import { DOCUMENT, noSuchPath, type ServedRoute } from './routes.ts';
import type { ServeState } from './state.ts';

/** A page and its handler. Errors that it throws are sent in the service's shape. */
interface OwnPage extends Pick<ServedRoute, 'paths' | 'methods'> {
  answer(served: ServedRequest, path: string): void | Promise<void>;
}

const READ = ['GET', 'HEAD'] as const;
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const [ANY_ENDPOINT = ''] = Object.keys(MAPPINGS);

/** The pages of a server of these parts, beside its routes. */
export function ownPages(
  parts: ServerParts,
  { routes, isClosing }: { readonly routes: readonly ServedRoute[]; readonly isClosing: () => boolean },
): readonly OwnPage[] {
  const { mcp, metrics, options, pages } = parts;
  return [
    pages
      ? peoplesPages({ parts, pages, routes, open: { streams: 0, questions: 0 } })
      : { paths: ['/', '/docs'], methods: READ, answer: showFrontPage },
    ...(metrics ? [metricsPage(metrics, options)] : []),
    healthPages(parts, isClosing),
    ...(mcp ? [mcpPage(mcp, options)] : []),
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
          // The router takes the target of `GET *` for the front page.
          if (request.url === '*') throw noSuchPath('*');
          await answer(served, url);
        } catch (error) {
          fail(served, error);
        }
        return reply;
      },
    });
}

/** The pages for people and their assets. They cost no quota; pages with a caller's own data need a key. */
function peoplesPages(context: PageContext): OwnPage {
  return {
    paths: ['/', '/docs', '/explore', '/pages/*'],
    methods: READ,
    answer: (served) =>
      explained(served, async () => {
        // Loaded when the first one is asked for.
        const { showPage } = await import('./pages/show-page.ts');
        await showPage(served, context);
      }),
  };
}

/** Does something; what goes wrong may be explained by a damaged mirror. */
async function explained(served: ServedRequest, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw await served.serve.explain(error);
  }
}

/** Tells a person in a few lines where to go on. It needs no key and costs no quota. */
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

/** The program lives when `/healthz` answers; it can answer questions when `/readyz` is 200. Neither needs a key or costs quota. */
function healthPages({ mirror }: Pick<ServerParts, 'mirror'>, isClosing: () => boolean): OwnPage {
  const problem = async (): Promise<string | undefined> => {
    if (isClosing()) return 'the server is stopping';
    try {
      await mirror?.find({ endpoint: ANY_ENDPOINT, scope: {} });
      return undefined;
    } catch {
      // The reason goes to the operator of the server; nobody else needs it.
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

/** Where a list of keys says who may ask, it says so here too. It costs no quota. */
function metricsPage(metrics: NonNullable<ServerParts['metrics']>, { keys, open }: ServerParts['options']): OwnPage {
  return {
    paths: ['/metrics'],
    methods: READ,
    answer: (served) =>
      explained(served, async () => {
        const { caller } = identify(served);
        if (keys && !open && caller.kind !== 'keyed') throw needsKeyError();
        sendText(served, TEXT_FORMAT, await metrics());
      }),
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

/** Tools for language models. Their answers are not ours; this page checks who may ask. */
function mcpPage(mcp: NonNullable<ServerParts['mcp']>, options: ServerParts['options']): OwnPage {
  const isOurs = createHostRule(options);
  return {
    paths: ['/mcp'],
    methods: ['POST', 'GET', 'DELETE'],
    async answer(served) {
      refuseForeignPage(served.request.headers.origin, isOurs);
      authorizeTools(served, options);
      await passOn(served, mcp);
    },
  };
}

/** A browser names the page that asks: one of another site may not. */
function refuseForeignPage(origin: string | undefined, isOurs: (host: string) => boolean): void {
  if (origin !== undefined && !(URL.canParse(origin) && isOurs(new URL(origin).host))) throw foreignHost();
}

/** The tools read the whole mirror: without keys this machine may ask, else keys of plans that include everything. */
function authorizeTools(served: ServedRequest, { keys, open }: ServerParts['options']): void {
  if (!keys || open) return;
  const context = identify(served);
  const { caller } = context;
  if (caller.kind !== 'keyed')
    throw new MacroError('auth', 'The tools of this server need one of its keys.', {
      status: 401,
      code: 'api_key_required',
    });
  if (caller.plan === 'basic')
    throw new MacroError('auth', 'Your plan does not include this route.', {
      status: 403,
      code: 'subscription_required',
    });
  authorize(served, context, { counted: true });
}

async function passOn(served: ServedRequest, answer: NonNullable<ServerParts['mcp']>): Promise<void> {
  const { reply, request } = served;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const response = await answer(webRequest(request, gone.signal));
  const list = commonHeaders(served);
  addHeader(list, 'Content-Type', response.headers.get('content-type') ?? 'application/json');
  addHeader(list, 'Cache-Control', 'no-store');
  const allow = response.headers.get('allow');
  if (allow !== null) addHeader(list, 'Allow', allow);
  reply.hijack();
  reply.raw.writeHead(response.status, list);
  try {
    for await (const chunk of response.body ?? []) {
      if (gone.signal.aborted) break;
      reply.raw.write(chunk);
    }
  } finally {
    reply.raw.end();
  }
}

function webRequest({ method, headers, body }: FastifyRequest, signal: AbortSignal): Request {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'content-length' ? [[name, value] as [string, string]] : [],
  );
  const sent = method === 'POST' && Buffer.isBuffer(body) ? { body: new Uint8Array(body) } : {};
  return new Request('http://localhost/mcp', { method, headers: list, signal, ...sent });
}
