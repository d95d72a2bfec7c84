import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { freshFolder } from '../support/platform.ts';
import { type Serving, startSandbox } from '../support/serving.ts';
import { curl, hasCurl } from './clients/curl.ts';
import { type Route, walkStrictly } from './clients/strict-walker.ts';

// Clients that know nothing of this program, against its sandbox. Those of the stream are in test/serve/stream, a receiver of
// webhooks in webhooks-out.test.ts.

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'node_modules', '.bin');
const run = promisify(execFile);

let serving: Serving;
let at: string;

beforeAll(async () => {
  serving = await startSandbox();
  at = `${serving.origin}/v1`;
}, 120_000);
afterAll(() => serving.stop());

const KEY = { 'X-API-Key': 'any' };

describe('a client that a public generator makes from the served document', () => {
  /** As strict as a user's compiler is likely to be. */
  const TSCONFIG = {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2024', 'dom'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    files: ['ask-each-group.ts'],
  };
  const folder = freshFolder();

  beforeAll(async () => {
    const document = await fetch(`${serving.origin}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await document.text());
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(root, 'test/fixtures/generated-client/ask-each-group.ts'), join(folder, 'ask-each-group.ts'));
    await run(join(bin, 'oazapfts'), [join(folder, 'openapi.json'), join(folder, 'client.ts')]);
  });

  it('compiles under a strict compiler, with types for rows, enumerations and refusals', async () => {
    const checked = await run(join(bin, 'tsc'), ['-p', folder]).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  });

  it('reads real answers of every served group, and refusals', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'ask-each-group.ts'), serving.origin]);
    const { told, facts } = JSON.parse(stdout);
    expect(Object.keys(told).length).toBe(15);
    for (const [asked, body] of Object.entries(told)) {
      if (asked.startsWith('POST')) continue;
      const plain = await fetch(serving.origin + asked, { headers: KEY });
      expect({ asked, body }).toEqual({ asked, body: await plain.json() });
    }
    expect(told['POST /v1/research/panel'].data).toMatchObject([
      { decision_time: '2026-10-20T12:00:00Z', values: [{ currency: 'USD', indicator: 'inflation' }] },
    ]);
    expect(facts).toEqual({
      newest: expect.any(Number),
      more: true,
      slope: expect.stringMatching(/^\d+[MY]\d+Y$/),
      stale: expect.any(Boolean),
      // Friday 14:00 UTC in November: London until 17:00, New York since 13:00.
      open: ['london', 'new_york'],
      findings: ['less_than_equal'],
      code: 'api_key_required',
    });
  });
});

describe.skipIf(!hasCurl)('plain curl (left out on a machine without it)', () => {
  it('sends the key in either header, and sees a refusal without one', () => {
    const address = `${at}/forex/EUR/USD?limit=1`;
    const keyed = curl('-H', 'X-API-Key: any', address);
    expect([keyed.exit, keyed.status, JSON.parse(keyed.body).base]).toEqual([0, 200, 'EUR']);
    expect(curl('-H', 'Authorization: Bearer any', address).body).toBe(keyed.body);
    const refused = curl(address);
    expect([refused.exit, refused.status, JSON.parse(refused.body).code]).toEqual([0, 401, 'api_key_required']);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    // 22: what --fail makes of a status of 400 or more.
    expect(curl('--fail', address).exit).toBe(22);
  });

  it('is told by the status what it did wrong', () => {
    const statuses = (...words: readonly string[]) => [curl(...words).status, curl(...words).headers.allow];
    expect(statuses('-X', 'DELETE', `${at}/ping`)).toEqual([405, 'GET, HEAD']);
    expect(statuses(`${at}/nothing`)).toEqual([404, undefined]);
    expect(statuses('-H', 'X-API-Key: any', `${at}/forex/EUR/USD?limit=101`)).toEqual([422, undefined]);
    expect(statuses(`${at}/announcements/xyz/inflation`)).toEqual([404, undefined]);
  });

  it('reads a compressed answer like a plain one', () => {
    const plain = curl(`${at}/data_catalogue/usd`);
    const compressed = curl('--compressed', `${at}/data_catalogue/usd`);
    expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(compressed.body).toBe(plain.body);
    expect(Number(compressed.headers['content-length'] ?? 0)).toBeLessThan(Number(plain.headers['content-length']));
  });

  it('gets the headers of a GET with -I, and no body', () => {
    const got = curl(`${at}/data_catalogue/usd`);
    const head = curl('-I', `${at}/data_catalogue/usd`);
    expect([head.exit, head.status, head.body]).toEqual([0, 200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
  });

  it('revalidates with the validator that it saved', () => {
    const file = join(freshFolder(), 'etag');
    const address = `${at}/data_catalogue/eur`;
    expect(curl('--etag-save', file, address).status).toBe(200);
    const again = curl('--etag-compare', file, address);
    expect([again.exit, again.status, again.body]).toEqual([0, 304, '']);
  });

  it('gets the whole answer when it asks by time, since answers have validators and no times', () => {
    const asked = curl('-z', '2030-01-01', `${at}/data_catalogue/eur`);
    expect([asked.status, asked.headers['last-modified']]).toEqual([200, undefined]);
  });

  it('posts a question', () => {
    const question = {
      series: [{ currency: 'USD', indicator: 'inflation' }],
      decision_times: ['2026-10-20T12:00:00Z'],
      start_date: '2026-01-01',
      end_date: '2026-11-20',
    };
    const posted = curl(
      ...['-H', 'X-API-Key: any', '-H', 'Content-Type: application/json'],
      ...['--data', JSON.stringify(question), `${at}/research/panel`],
    );
    expect([posted.status, JSON.parse(posted.body).count]).toEqual([200, 1]);
  });
});

describe('the fetch of Node', () => {
  it('reads answers, compressed on the way, under both forms of the address', async () => {
    const first = await fetch(`${at}/data_catalogue/usd`);
    expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    const second = await fetch(`${serving.origin}/api/v1/data_catalogue/usd`);
    expect(await second.text()).toBe(await first.text());
  });

  it('revalidates, and keeps the answer that it has', async () => {
    const first = await fetch(`${at}/forex/EUR/USD`, { headers: KEY });
    const validator = first.headers.get('etag') ?? '';
    const again = await fetch(`${at}/forex/EUR/USD`, { headers: { ...KEY, 'If-None-Match': validator } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, validator, '']);
  });

  it('sees no word for browsers, which cannot call the service', async () => {
    const answer = await fetch(`${at}/ping`, { headers: { Origin: 'https://page.example' } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('a walker that believes nothing but the pages', () => {
  interface Parameter {
    readonly name?: string;
    readonly in?: string;
    readonly example?: unknown;
    readonly schema?: { readonly maximum?: number };
  }

  /** Words in place of those of the examples: where they have one row, or more than a test should walk. */
  const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/v1/factors/{currency}/{factor}': { start_date: '2026-09-01' },
    '/v1/recent/announcements/{currency}': { currency: 'PEN' },
  };

  async function ask(address: string): Promise<unknown> {
    const answer = await fetch(serving.origin + address, { headers: KEY });
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Every operation of the served document that has pages, with the words of its examples. */
  async function pagedRoutes(): Promise<readonly Route[]> {
    const { paths } = (await ask('/openapi.json')) as { paths: Record<string, { get?: JsonObject }> };
    return Object.entries(paths).flatMap(([path, { get }]) => {
      const parameters = (get?.parameters ?? []) as readonly Parameter[];
      const limit = parameters.find(({ name }) => name === 'limit');
      // The newest deliveries are listed, and no page of older ones.
      if (!limit || path === '/v1/webhooks/deliveries') return [];
      const word = ({ name = '', example }: Parameter) =>
        WORDS[path]?.[name] ?? (Array.isArray(example) ? example.join(',') : String(example));
      const given = parameters.filter(({ name = '', example }) => WORDS[path]?.[name] ?? example);
      const filled = given.reduce((text, one) => text.replace(`{${one.name}}`, word(one)), path);
      const query = given.filter((one) => one.in === 'query').map((one) => [String(one.name), word(one)]);
      const names = parameters.flatMap(({ name }) => name ?? []);
      const words = Object.fromEntries(query);
      return [{ path: filled, words, names, largestPage: limit.schema?.maximum ?? 1 }];
    });
  }

  it('meets every row once on every paged route, whatever the size of a page', async () => {
    const routes = await pagedRoutes();
    const walked: Record<string, number> = {};
    for (const route of routes) {
      const whole = await walkStrictly(ask, route, route.largestPage);
      const size = Math.max(1, Math.min(route.largestPage, Math.ceil(whole.rows.length / 5)));
      const inParts = await walkStrictly(ask, route, size);
      expect({ path: route.path, rows: inParts.rows }).toEqual({ path: route.path, rows: whole.rows });
      walked[route.path] = inParts.pages;
    }
    expect(routes.length).toBe(20);
    expect(Object.entries(walked).filter(([, pages]) => pages < 2)).toEqual([]);
  }, 60_000);

  it('would notice a page that breaks its word', async () => {
    const route: Route = { path: '/v1/x', words: {}, names: ['offset'], largestPage: 2 };
    const page = (data: readonly unknown[], pagination: JsonObject) => async () => ({ data, pagination });
    const honest = { limit: 2, offset: 0, returned_count: 2, total_count: 2, has_more: false };
    expect(await walkStrictly(page([1, 2], honest), route, 2)).toEqual({ rows: ['1', '2'], pages: 1 });
    const broken: [readonly unknown[], JsonObject, RegExp][] = [
      [[1, 1], honest, /lists a row twice/],
      [[1], honest, /miscounted/],
      [[1, 2], { ...honest, total_count: 3 }, /has_more contradicts/],
      [[1, 2], { ...honest, has_more: true, total_count: 3, next_offset: 3 }, /next_offset is 3/],
      [[], { has_more: true }, /empty, with more/],
      [[1, 2], { has_more: true }, /no word of where/],
    ];
    for (const [data, pagination, complaint] of broken)
      await expect(walkStrictly(page(data, pagination), route, 2)).rejects.toThrow(complaint);
  });
});
