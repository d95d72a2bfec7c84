import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { managed, NOW } from '../serve/webhooks/support.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const BASE = 'http://127.0.0.1:8787';
const URL_OK = 'https://hooks.example.com/in';

/** A command line beside a real server, with a key of its own. */
async function beside(key = 'k-desk') {
  const server = await managed();
  const world = testPlatform({ fetch: server.fetch, now: NOW, env: { MACRO_BASE_URL: BASE, MACRO_API_KEY: key } });
  const run = async (line: string) => macro(`webhooks ${line}`, world);
  const json = async (line: string) => {
    const { code, out, err } = await run(`${line} --format json`);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${err}`);
    return JSON.parse(out);
  };
  /** Where the secrets of services are kept. */
  const kept = () => {
    const folder = join(world.folder, 'macro', 'state', 'webhooks', 'http_127.0.0.1_8787');
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  };
  return { ...{ server, world, run, json, kept } };
}

describe('macro webhooks', () => {
  it('creates a subscription, keeps its secret in a private file and never shows it', async () => {
    const { run, kept, server } = await beside();
    const { code, out, err } = await run(`create --url ${URL_OK} --currencies USD --description desk --format json`);
    expect(code).toBe(0);
    const { id, ...rest } = JSON.parse(out);
    expect(rest).toMatchObject({ url: URL_OK, status: 'active', currencies: ['usd'], indicators: null });
    const [path = ''] = kept();
    const secret = readFileSync(join(server.at.folder, 'secrets', `${id}.secret`), 'utf8').trim();
    expect(JSON.parse(readFileSync(path, 'utf8')).secrets).toMatchObject([{ secret }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(out + err).not.toContain(secret);
  });

  it('without a key names the command that keeps one for the service that was named, and that command works', async () => {
    const server = await managed();
    const fetch: typeof server.fetch = async (url, init) =>
      url.endsWith('/v1/ping') ? Response.json({ status: 'ok', service: 'macro-data' }) : server.fetch(url, init);
    const at = testPlatform({ fetch, now: NOW, stdin: 'k-desk' });
    const create = `webhooks create --url ${URL_OK} --base-url ${BASE}`;
    const refused = await macro(create, at);
    const login = `auth login --base-url ${BASE}`;
    expect([refused.code, refused.err.split('\n')[1]]).toEqual([
      4,
      `Store one with: macro ${login}, or give it in MACRO_API_KEY.`,
    ]);
    expect((await macro(`${login} --keep-in file`, at)).code).toBe(0);
    expect((await macro(create, at)).code).toBe(0);
  });

  it('repeats no address that may hold a key', async () => {
    const { err } = await macro(`webhooks create --url ${URL_OK} --base-url https://svc.example?key=k-secret`);
    expect(err).not.toContain('k-secret');
  });

  it('prints a secret once when it is asked to, and keeps it nowhere', async () => {
    const { json, kept } = await beside();
    const made = await json(`create --url ${URL_OK} --print-secret`);
    expect(made.signing_secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    const rotated = await json(`rotate-secret ${made.id} --print-secret`);
    expect(rotated.signing_secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(rotated.signing_secret).not.toBe(made.signing_secret);
    expect(kept()).toEqual([]);
  });

  it('a rotation keeps the old secret beside the new one for 36 hours', async () => {
    const { json, kept } = await beside();
    const { id } = await json(`create --url ${URL_OK}`);
    await json(`rotate-secret ${id}`);
    const [path = ''] = kept();
    const until = '2026-10-02T12:00:00Z';
    expect(JSON.parse(readFileSync(path, 'utf8')).secrets).toMatchObject([{ from: '2026-10-01T00:00:00Z' }, { until }]);
  });

  it('lists, shows, changes, disables, enables and deletes', async () => {
    const { json, run, kept } = await beside();
    const { id } = await json(`create --url ${URL_OK} --currencies usd`);
    expect((await json('list')).data).toMatchObject([{ id, status: 'active' }]);
    expect(await json(`update ${id} --indicators gdp --currencies all`)).toMatchObject({
      currencies: null,
      indicators: ['gdp'],
    });
    expect(await json(`disable ${id}`)).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    expect(await json(`enable ${id}`)).toMatchObject({ status: 'active' });
    expect(await json(`show ${id}`)).toMatchObject({ id, status: 'active', indicators: ['gdp'] });
    expect((await run(`delete ${id} --yes`)).code).toBe(0);
    expect((await json('list')).data).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it('lists what was delivered', async () => {
    const { json, server } = await beside();
    const { id } = await json(`create --url ${URL_OK}`);
    const owed = { id: `${id}_usd_gdp_1`, subscription: id, event: 'usd_gdp_1', position: 1, body: '{}' };
    await server.mirror.outbox.enqueue([owed], 1, NOW);
    expect((await json('deliveries --status pending --limit 5')).data).toEqual([
      {
        id: `${id}_usd_gdp_1`,
        subscription_id: id,
        event_id: 'usd_gdp_1',
        event: 'announcement',
        status: 'pending',
        attempt_count: 0,
        last_status_code: null,
        last_error: null,
        delivered_at: null,
      },
    ]);
    expect((await json(`deliveries --subscription-id ${id} --status failed`)).data).toEqual([]);
  });

  it.each([
    ['create --url https://10.0.0.1/in', 2, 'Destination is an IP address instead of a host name.'],
    ['create --url http://hooks.example.com/in', 2, 'Destination is not https.'],
    ['create --url https://inside.example.com/in', 2, 'Destination resolves to a private address.'],
    ['show sub_nobody', 3, 'There is no webhook subscription sub_nobody.'],
    ['delete sub_nobody --yes', 3, 'There is no webhook subscription sub_nobody.'],
  ])('%s leaves with %i and the words of the server', async (line, exit, message) => {
    const { code, out, err } = await (await beside()).run(line);
    expect([code, out]).toEqual([exit, '']);
    expect(err).toContain(message);
  });
});
