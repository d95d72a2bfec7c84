// `/mcp` of a server: tools for language models over HTTP. What is said there is not ours; who may say it is.
import type { FastifyRequest } from 'fastify';
import { MacroError } from '../errors.ts';
import { authorize, identify } from './access/authorize.ts';
import { createHostRule, foreignHost } from './access/hosts.ts';
import type { ServerParts } from './options.ts';
import type { OwnPage } from './own-pages.ts';
import { addHeader } from './reply/header-list.ts';
import { commonHeaders } from './reply/send.ts';
import type { ServedRequest } from './request.ts';

/** The page where somebody answers it. */
export function mcpPage(mcp: NonNullable<ServerParts['mcp']>, options: ServerParts['options']): OwnPage {
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

/**
 * The tools read all that the mirror holds. Without a list of keys only this machine can ask; with one its keys can, except
 * for those of a plan that does not include everything.
 */
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
