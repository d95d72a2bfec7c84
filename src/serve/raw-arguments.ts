import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Args } from '../contract/params.ts';
import { inBodyWords, readBody } from '../contract/post.ts';
import { queryOf } from './arguments.ts';
import type { Exchange } from './exchange.ts';

/** The arguments of a request, from its path and its query or body. */
export function argumentsOf({ serve, request, url, now }: Exchange, endpoint: Endpoint): Args | Promise<Args> {
  // Fastify types the decoded path arguments as unknown; the router makes nothing but strings of them.
  const path = request.params as Record<string, string>;
  if (request.method !== 'POST' || !endpoint.post)
    return serve.readArguments(endpoint, { path, query: queryOf(url) }, now);
  const query = readBody(endpoint.post, bytesOf(request), request.headers['content-type']);
  return inBodyWords(() => serve.readArguments(endpoint, { path, query }, now));
}

/** The one parser of bodies hands them on as they came. */
export function bytesOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}
