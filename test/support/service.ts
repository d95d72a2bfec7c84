import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ServiceLabels } from '../../src/contract/hooks.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openServerMirror as openOnServer } from '../../src/mirror/postgres/open.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import type { Fetch, Platform } from '../../src/platform/platform.ts';
import { fillSandbox } from '../../src/sandbox/fill.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { madeOnce } from './made-once.ts';
import { freshAddress } from './postgres.ts';

export const LABELS: ServiceLabels = {
  service: 'test-service',
  storage: 'test-store',
  publicBaseUrl: 'http://svc.test',
  subscribeUrl: 'http://svc.test/subscribe',
  docsUrl: 'http://svc.test/docs',
};

export const SERVICE_URL = 'http://127.0.0.1:8787';

/** A mirror of its own, closed when the test ends: a file, or a schema where the project of the tests says so. */
export async function freshMirror(platform: Platform, name = 'mirror.db'): Promise<Mirror> {
  const how = { mappings: MAPPINGS, platform, mode: 'write' } as const;
  const mirror =
    process.env.MACRO_TEST_ENGINE === 'PostgreSQL'
      ? await openOnServer({ ...how, address: await freshAddress(), dates: 'caller' })
      : await openMirror({ ...how, path: join(platform.cwd, name) });
  onTestFinished(() => mirror.close());
  return mirror;
}

const filled = new Map<string, Promise<string>>();

/** The seed of most tests. */
const SEED = 7;

const opened = new Map<string, Promise<Mirror>>();

/** The small sandbox of an instant, filled once a run of the tests and only read from then on; each process opens it once. */
export async function sandboxMirror(platform: Platform, seed = SEED): Promise<Mirror> {
  const path = await sandboxPath(platform, seed);
  const opening = opened.get(path) ?? openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
  opened.set(path, opening);
  return opening;
}

/** The file of that sandbox. */
export function sandboxPath(platform: Platform, seed = SEED): Promise<string> {
  const name = `small-${seed}-${platform.clock.now()}.db`;
  const filling = filled.get(name) ?? madeOnce(name, (path) => fillAt(path, platform, seed));
  filled.set(name, filling);
  return filling;
}

/** A sandbox of a test's own, which it may change: a copy of that file. */
export async function ownSandbox(platform: Platform, seed = SEED): Promise<Mirror> {
  const path = join(platform.cwd, 'own-sandbox.db');
  copyFileSync(await sandboxPath(platform, seed), path);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  onTestFinished(() => mirror.close());
  return mirror;
}

async function fillAt(path: string, platform: Platform, seed: number): Promise<void> {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  await fillSandbox({ mirror, seed, now: platform.clock.now(), size: 'small' });
  mirror.close();
}

export interface TestService {
  /** A `fetch` that reaches the real server without a socket. */
  readonly fetch: Fetch;
  /** `METHOD path` of every request so far, with its status. */
  readonly seen: string[];
}

/** The real server over a mirror, as the upstream of a client under test. */
export async function serviceOver(
  mirror: Mirror,
  platform: Platform,
  options: { quotas?: boolean } = {},
): Promise<TestService> {
  const source = createMirrorSource({ mirror, labels: LABELS });
  const serve = { labels: LABELS, quotas: options.quotas ?? false };
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options: serve });
  onTestFinished(() => app.close());
  const seen: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    const method = init.method === 'POST' ? 'POST' : 'GET';
    const answer = await app.inject({
      method,
      url: pathname + search,
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(typeof init.body === 'string' && { payload: init.body }),
    });
    seen.push(`${method} ${pathname}${search} ${answer.statusCode}`);
    const body = answer.statusCode === 304 ? null : answer.rawPayload;
    return new Response(body, { status: answer.statusCode, headers: plain(answer.headers) });
  };
  return { fetch, seen };
}

function plain(headers: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)]);
}
