import type { InjectOptions } from 'fastify';
import { etagMatches } from '../../src/contract/headers.ts';
import type { ServiceLabels } from '../../src/contract/hooks.ts';
import { toJsonText } from '../../src/contract/json/json.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createServer, type ServeApp } from '../../src/serve/create.ts';
import type { ServeOptions, ServerParts } from '../../src/serve/options.ts';
import type { AskContext, Question, Reply, Source } from '../../src/source/source.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';

export const LABELS: ServiceLabels = {
  service: 'macro-data',
  storage: 'store',
  publicBaseUrl: 'https://svc.example',
  subscribeUrl: 'https://svc.example/subscribe',
  docsUrl: 'https://docs.example',
};

/** What the scripted source says to a question; by default one small body with a validator. */
export interface Said {
  readonly body?: unknown;
  /** Null for an answer without a validator. */
  readonly etag?: string | null;
  readonly synthetic?: boolean;
}

export interface ScriptedSource extends Source {
  readonly asked: { readonly question: Question; readonly context: AskContext }[];
  /** Replaces what is said from now on; a function may throw. */
  says(said: (question: Question, context: AskContext) => Said | Promise<Said>): void;
}

/** A source that says what it is told to and remembers what it was asked. */
export function scriptedSource(): ScriptedSource {
  let say: (question: Question, context: AskContext) => Said | Promise<Said> = () => ({});
  const asked: ScriptedSource['asked'] = [];
  return {
    asked,
    says(said) {
      say = said;
    },
    async ask(question, context): Promise<Reply> {
      asked.push({ question, context });
      const {
        body = { ok: true },
        etag = 'W/"0123456789abcdef0123456789abcdef"',
        synthetic = false,
      } = await say(question, context);
      const held = etagMatches(context.ifNoneMatch, etag ?? undefined);
      return {
        status: held ? 304 : 200,
        body: toJsonText(held ? undefined : body) ?? toJsonText(''),
        ...(etag !== null && { etag }),
        from: 'mirror',
        asOf: context.now,
        synthetic,
        notes: [],
      };
    },
  };
}

export interface Bench {
  readonly app: ServeApp;
  readonly source: ScriptedSource;
  readonly world: TestPlatform;
  /** Status, headers that do not depend on the run, and body of one request. */
  ask(url: string, headers?: Record<string, string>, more?: InjectOptions): Promise<Told>;
}

export interface Told {
  readonly status: number;
  /** Without `date`, `connection` and the request's name. */
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly bytes: Buffer;
  readonly json: unknown;
}

/** A server over a scripted source, at 2026-11-21T05:46:13Z. */
export async function serveScripted(
  options: Partial<ServeOptions> = {},
  parts: Partial<ServerParts> = {},
): Promise<Bench> {
  const source = scriptedSource();
  const world = testPlatform();
  const app = await createServer({
    source,
    endpoints: ENDPOINTS,
    platform: world.platform,
    ...parts,
    options: { labels: LABELS, ...options },
  });
  const ask = async (url: string, headers: Record<string, string> = {}, more: InjectOptions = {}) =>
    toldOf(await app.inject({ method: 'GET', url, headers, ...more }));
  return { app, source, world, ask };
}

function toldOf(response: Awaited<ReturnType<ServeApp['inject']>>): Told {
  const headers: Record<string, unknown> = { ...response.headers };
  for (const name of ['date', 'connection', 'x-request-id']) delete headers[name];
  return {
    status: response.statusCode,
    headers,
    body: response.payload,
    bytes: response.rawPayload,
    get json() {
      return JSON.parse(response.payload);
    },
  };
}

/** Headers of a keyed answer at the test's moment, after so many requests of this key. */
export function keyedLimits(used: number): Record<string, string> {
  return {
    'ratelimit-limit': '300',
    'ratelimit-remaining': String(300 - used),
    'ratelimit-reset': '47',
    'ratelimit-policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': String(300 - used),
    'x-ratelimit-window': 'minute',
  };
}

/** The same for a keyless caller. */
export function keylessLimits(used: number): Record<string, string> {
  return {
    'ratelimit-limit': '100',
    'ratelimit-remaining': String(100 - used),
    'ratelimit-reset': '65627',
    'ratelimit-policy': '100;w=86400',
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': String(100 - used),
    'x-ratelimit-window': 'day',
  };
}

/** Where every answer leads. */
export const DESCRIBED = '</openapi.json>; rel="service-desc"';

export const VARY = 'Accept-Encoding, X-API-Key, Authorization';
export const KEY = { 'x-api-key': 'any-good-key' };
