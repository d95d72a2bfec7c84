import { join } from 'node:path';
import type { JsonObject } from '../../../src/contract/json/json.ts';
import { INTERFACE } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { Fetch } from '../../../src/platform/platform.ts';
import { createServer } from '../../../src/serve/create.ts';
import type { ServeOptions } from '../../../src/serve/options.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { createSubscriptions } from '../../../src/webhooks/send/subscriptions.ts';
import { openSigningSecrets, type SigningSecrets } from '../../../src/webhooks/signing-secrets.ts';
import { type TestPlatform, testPlatform } from '../../support/platform.ts';
import { freshMirror, LABELS } from '../../support/service.ts';
import { NAMES } from '../../webhooks/destinations.ts';

/** 2026-10-01T00:00:00Z */
export const NOW = 1_790_812_800_000;

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: JsonObject;
}

export interface Managed {
  readonly at: TestPlatform;
  readonly mirror: Mirror;
  /** Asks with a key, unless another one (or none, null) is named. */
  ask(line: string, body?: unknown, key?: string | null): Promise<Answered>;
  /** Reaches the server without a socket, for clients. */
  readonly fetch: Fetch;
}

/** A server with webhooks, asked without a socket: `ask('POST /v1/webhooks/subscriptions', {...})`. */
export async function managed(
  options: Partial<ServeOptions> = {},
  parts: { readonly secrets?: SigningSecrets } = {},
): Promise<Managed> {
  const at = testPlatform({ now: NOW, resolve: async (host) => NAMES[host] ?? [] });
  const { platform } = at;
  const mirror = await freshMirror(platform);
  const subscriptions = createSubscriptions({
    outbox: mirror.outbox,
    secrets: openSigningSecrets({ platform, folder: join(platform.cwd, 'secrets') }),
    guard: { resolve: platform.resolve, allowLocal: false },
    random: platform.random,
    flush: mirror.flush,
    ...parts,
  });
  const serve = { labels: LABELS, ...options };
  const source = createMirrorSource({ mirror, labels: LABELS });
  const app = await createServer({ source, subscriptions, endpoints: INTERFACE, platform, options: serve });
  return {
    at,
    mirror,
    async fetch(url, { method = 'GET', headers, body }) {
      const { pathname, search } = new URL(url);
      const answer = await app.inject({
        method: method as 'GET', // the client knows no other verbs than the server
        url: pathname + search,
        headers: Object.fromEntries(new Headers(headers).entries()),
        ...(typeof body === 'string' && { payload: body }),
      });
      const { statusCode: status } = answer;
      const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      return new Response(status === 204 ? null : answer.rawPayload, { status, headers: told });
    },
    async ask(line, body, key = 'k-desk') {
      const [method = '', url = ''] = line.split(' ');
      const answer = await app.inject({
        method: method as 'GET', // what is asked in these tests is a verb
        url,
        headers: {
          ...(key !== null && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const parsed = answer.body === '' ? {} : JSON.parse(answer.body);
      return { status: answer.statusCode, headers: answer.headers, body: parsed };
    },
  };
}
