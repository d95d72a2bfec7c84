// A server with an empty mirror before a real service, which a test can end.
import { onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/create.ts';
import { memoryLedger } from '../../../src/client/quota/ledger.ts';
import { createRateLimiter } from '../../../src/client/quota/rate-limiter.ts';
import { type RunBudget, withRunBudget } from '../../../src/client/quota/run-budget.ts';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { digestKey, type KeyEntry } from '../../../src/serve/access/keys.ts';
import { createServer } from '../../../src/serve/create.ts';
import { createLiveSource } from '../../../src/source/live.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { livePages } from '../../../src/source/stored/collect-pages.ts';
import { createReadThrough, type ReadThroughOptions } from '../../../src/source/through/read-through.ts';
import { testPlatform } from '../../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../../support/service.ts';

export const NOW = '2026-11-20T14:00:00Z';
export const OWNER_KEY = 'owner-key';

export const KEYS: readonly KeyEntry[] = (['desk', 'lab', 'risk', 'models'] as const).map((label) => ({
  digest: digestKey(`${label}-key`),
  plan: label === 'lab' ? 'basic' : 'individual',
  label,
}));

export interface UpstreamWorld {
  /** What of the mirror before the service is there at the start; empty when left out. */
  readonly prepare?: (mirror: Mirror) => Promise<void>;
  readonly strict?: boolean;
  readonly budgets?: readonly RunBudget[];
  readonly refuses?: ReadThroughOptions['refuses'];
  readonly mostRows?: number;
  /** The service counts what it is asked. */
  readonly quotas?: boolean;
  /** No answer reaches the mirror, as where another program locks it. */
  readonly isLocked?: boolean;
}

export async function upstreamWorld({ prepare, strict = false, budgets = [], ...more }: UpstreamWorld = {}) {
  const { platform, clock } = testPlatform({ now: NOW });
  const upstream = await serviceOver(await sandboxMirror(platform), platform, { quotas: more.quotas ?? false });
  const service = {
    isDown: false,
    entered: () => {},
    gate: Promise.resolve(),
    /** What is answered in place of the service's own word. */
    says: (_url: URL): Response | undefined => undefined,
  };
  const fetch: typeof upstream.fetch = async (url, init) => {
    service.entered();
    await service.gate;
    if (service.isDown)
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    return service.says(new URL(url)) ?? upstream.fetch(url, init);
  };
  const mirror = await freshMirror(platform);
  await prepare?.(mirror);
  const limiter = createRateLimiter({
    ...{
      clock,
      ledger: memoryLedger('key:test'),
      maxWait: 2000,
      priority: 'background',
      pid: 1,
      headerPrefix: 'X-SVC',
    },
  });
  const gate = withRunBudget(limiter, { budgets, clock, maxWait: 2000 });
  const client = createClient({
    platform: { ...platform, fetch },
    baseUrl: SERVICE_URL,
    key: OWNER_KEY,
    limiter: gate,
  });
  const held = createMirrorSource({ mirror, labels: LABELS });
  const written = more.isLocked ? { client } : { client, mirror };
  const source = createReadThrough({
    ...{ mirror: { mirror, source: held }, live: createLiveSource(written), access: client.access },
    walk: (question, context) => livePages(written, question, context),
    ...{
      mostRows: more.mostRows,
      clock,
      strict,
      refuses: more.refuses ?? ((_, { kind }) => (kind === 'keyless' ? 'No key.' : undefined)),
    },
  });
  const options = { labels: LABELS, keys: () => KEYS, quotas: false };
  const app = await createServer({ source, mirrorSource: held, mirror, endpoints: ENDPOINTS, platform, options });
  onTestFinished(() => app.close());
  const ask = async (url: string, key: string | null = 'desk-key', headers: Readonly<Record<string, string>> = {}) => {
    const answer = await app.inject({ url, headers: { ...(key !== null && { 'x-api-key': key }), ...headers } });
    return {
      status: answer.statusCode,
      body: answer.body,
      cache: answer.headers['cache-status'],
      mirror: answer.headers['x-svc-mirror'],
      warning: answer.headers.warning,
      headers: answer.headers,
    };
  };
  /** What the service itself answers to the owner. */
  const direct = async (url: string, key: string | null = OWNER_KEY) => {
    const answer = await upstream.fetch(`${SERVICE_URL}${url}`, { headers: key === null ? {} : { 'x-api-key': key } });
    upstream.seen.pop();
    return { status: answer.status, body: await answer.text() };
  };
  return { ask, direct, clock, mirror, service, seen: upstream.seen };
}
