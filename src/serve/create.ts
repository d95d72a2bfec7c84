import type { RequestListener } from 'node:http';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { notJson } from '../contract/params/post.ts';
import { MacroError } from '../errors.ts';
import { createBoundedServer } from '../platform/bounded-server.ts';
import { closeGently, isLoopbackHost, listenBeside, listenError } from '../platform/listening.ts';
import { chargeUnrouted } from './access/authorize.ts';
import { createHostRule, foreignHost, type HostRule } from './access/hosts.ts';
import { BOUNDS, LIMITS, type ServerParts } from './options.ts';
import { addOwnPage, ownPages } from './own-pages.ts';
import { answer, manage } from './reply/answer.ts';
import { fail } from './reply/fail.ts';
import { openRequest } from './request.ts';
import { logRequests } from './request-log.ts';
import { createUnrouted, SERVICE_DESCRIPTION, type ServedRoute, servedRoutes } from './routes.ts';
import { createState, type ServeState } from './state.ts';
import { openStream } from './stream/open.ts';

/** A server that is built but not listening: `inject` asks it without a socket. */
export interface ServeApp {
  readonly inject: FastifyInstance['inject'];
  /** Answers a request that another server took. */
  readonly handle: RequestListener;
  /** Resolves to the address once the server takes requests. */
  listen(port: number, host: string): Promise<string>;
  /** Takes no more requests and resolves when those under way are answered. */
  close(): Promise<void>;
  /** Cuts the connections that are still open. */
  cut(): void;
  readonly routes: readonly ServedRoute[];
}

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8787;

interface StartOptions extends ServerParts {
  /** 0 takes any free port. */
  readonly port?: number;
  readonly host?: string;
}

/** A server that takes requests. */
export interface RunningServer {
  /** `http://127.0.0.1:8787` */
  readonly address: string;
  readonly app: ServeApp;
  /** Stops accepting requests, waits some seconds for running ones, then cuts the rest. */
  close(): Promise<void>;
}

/**
 * Builds the HTTP face of a source; `answer` checks in the order of docs/interface-access.md#order-of-checks. Fastify's
 * validation, serialisation and errors are unused.
 */
export async function createServer(parts: ServerParts): Promise<ServeApp> {
  const serve = createState(parts);
  const offered = parts.endpoints.filter(({ managed }) => !managed || parts.subscriptions !== undefined);
  const routes = servedRoutes(offered, parts, parts.options);
  let isClosing = false;
  const measured =
    parts.metrics &&
    (await import('./server-metrics.ts')).createServerMetrics({
      ...{ routes, mirror: parts.mirror, now: serve.now },
      cacheHits: () => serve.cache.hits,
    });
  const metrics = parts.metrics && measured && (async () => `${await parts.metrics?.()}${await measured.text()}`);
  const own = ownPages({ ...parts, metrics }, { routes, isClosing: () => isClosing });
  const unrouted = createUnroutedHandler(serve, [...routes, ...own]);
  const isOurs = parts.options.boundTo === undefined ? () => true : createHostRule(parts.options);
  const app = createApp(parts, serve, unrouted);
  refuseForeignHosts(app, serve, isOurs);
  measured?.watch(app);
  takeAnyBody(app);
  for (const route of routes) addRoute(app, serve, route);
  for (const page of own) addOwnPage(app, serve, page);
  app.setNotFoundHandler(unrouted);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    fail(openRequest(serve, request, reply), frameworkError(error)),
  );
  await app.ready();
  let beside: { close(): void } | undefined;
  return {
    inject: app.inject.bind(app),
    handle: parts.faults?.around(app.routing, serve.now) ?? app.routing,
    async listen(port, host) {
      const address = await app.listen({ port, host });
      if (host === 'localhost') beside = await listenBeside(app.server);
      return address;
    },
    close() {
      isClosing = true;
      // A stream ends by itself never: nobody could wait for it.
      serve.feed.close();
      beside?.close();
      return app.close();
    },
    cut: () => app.server.closeAllConnections(),
    routes,
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

function createApp(parts: ServerParts, serve: ServeState, unrouted: Handler): FastifyInstance {
  const { platform, bounds, faults } = parts;
  return fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: serve.nameRequest,
    bodyLimit: LIMITS.bodyBytes,
    // Queries are read from the address by our own rules, and only when an answer is not known yet.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LIMITS.urlLength, querystringParser: () => ({}) },
    serverFactory: (handler) =>
      createBoundedServer(withLog(faults?.around(handler, serve.now) ?? handler, parts, serve), {
        bounds: { ...BOUNDS, ...bounds },
        clock: platform.clock,
        refusalHeaders: [`${serve.names.edgeCache}: BYPASS`, `Link: ${SERVICE_DESCRIPTION}`],
      }),
    // The server itself refuses malformed requests.
    clientErrorHandler: () => undefined,
    // An address that cannot be decoded is no path of ours.
    frameworkErrors: (_error, request, reply) => unrouted(request, reply),
  });
}

/** The log is the outermost handler, so it reports the bytes really sent. */
function withLog(handler: RequestListener, { onRequest, options, platform }: ServerParts, serve: ServeState) {
  if (!onRequest) return handler;
  return logRequests(handler, { report: onRequest, serve, options, elapsed: () => platform.clock.now() });
}

/** Nobody who came under another name gets more than the refusal. */
function refuseForeignHosts(app: FastifyInstance, serve: ServeState, isOurs: HostRule): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isOurs(request.headers.host ?? '')) return done();
    fail(openRequest(serve, request, reply), foreignHost());
  });
}

/** Bodies of any type are read up to the limit, so that a wrong method and a wrong body give different errors. */
function takeAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function addRoute(app: FastifyInstance, serve: ServeState, route: ServedRoute): void {
  const take = takerOf(route.endpoint);
  for (const path of route.paths)
    app.route({
      method: [...route.methods],
      url: path.replaceAll('{', ':').replaceAll('}', ''),
      handler: (request, reply) => take(serve, route, request, reply),
    });
}

function takerOf({ body, managed }: ServedRoute['endpoint']): typeof answer {
  if (managed) return manage;
  return body.kind === 'stream' ? openStream : answer;
}

type Known = Pick<ServedRoute, 'paths' | 'methods'>;

function createUnroutedHandler(serve: ServeState, known: readonly Known[]): Handler {
  const judge = createUnrouted(known);
  return (request, reply) => {
    const served = openRequest(serve, request, reply);
    const { error, headers, isFree } = judge(request.method, served.url);
    if (!isFree) chargeUnrouted(served);
    fail(served, error, headers);
  };
}

/** Errors of fastify before any handler: the body is too large or does not match its length. */
function frameworkError(error: FastifyError): unknown {
  const status = error.statusCode ?? 500;
  if (status === 413)
    return new MacroError('usage', `The body is larger than ${LIMITS.bodyBytes} bytes.`, {
      status,
      code: 'payload_too_large',
      cause: error,
    });
  if (status === 415) return notJson();
  if (status >= 500) return error;
  return new MacroError('usage', 'The request cannot be read.', { status: 400, code: 'invalid_request', cause: error });
}

/** Builds a server and listens, on loopback only without keys. @throws MacroError of kind `usage`. */
export async function startServe(options: StartOptions): Promise<RunningServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  refuseWideHost(host, options.options);
  const app = await createServer({ ...options, options: { ...options.options, boundTo: host } });
  try {
    const address = await app.listen(port, host);
    return { address, app, close: () => closeGently(app, options.platform.clock) };
  } catch (error) {
    await app.close();
    throw listenError(error, port, host);
  }
}

function refuseWideHost(host: string, { keys, open }: ServerParts['options']): void {
  if (isLoopbackHost(host) || (keys && !open)) return;
  throw new MacroError('usage', `Refused to listen on ${host}: others could read this mirror.`, {
    hint: open
      ? 'Leave out --open, or listen on 127.0.0.1.'
      : 'Say who may ask with --keys FILE, or listen on 127.0.0.1.',
  });
}
