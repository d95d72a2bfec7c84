import type { Endpoint } from '../contract/endpoint.ts';
import type { RawArgs } from '../contract/params/param.ts';
import type { Args } from '../contract/params/params.ts';
import { inBodyWords, readBody } from '../contract/params/post.ts';
import { queryTextOf } from './arguments.ts';
import type { ServedRequest } from './request.ts';

/** The arguments of a request, from its path and its query or body. What is odd about them is noted in the exchange. */
export async function argumentsOf(served: ServedRequest, endpoint: Endpoint): Promise<Args> {
  const { serve, request, url, now } = served;
  // Fastify types the decoded path arguments as unknown; the router makes nothing but strings of them.
  const path = request.params as Record<string, string>;
  const read = (query: RawArgs['query']) => serve.readArguments(endpoint, { path, query }, now);
  const { post } = endpoint;
  const body = request.method === 'POST' && post && readBody(post, bytesOf(request), request.headers['content-type']);
  const { args, notes } = body ? await inBodyWords(() => read(body)) : await read(queryTextOf(url));
  served.oddities = notes;
  return args;
}

/** The one parser of bodies hands them on as they came. */
export function bytesOf({ body }: Pick<ServedRequest['request'], 'body'>): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}
