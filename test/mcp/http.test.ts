import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeMirror } from '../library/small-mirror.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';
import { call, printed } from './connected.ts';

beforeAll(ensureBuilt);

async function served(words: readonly string[] = []) {
  const mirror = join(freshFolder(), 'small.db');
  await makeMirror(mirror);
  const serving = await startServing(['--mcp', '--mirror', mirror, ...words], { MACRO_HOME: freshFolder() });
  onTestFinished(() => serving.stop());
  return { mirror, url: `${serving.origin}/mcp` };
}

async function connectedTo(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
  const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, { method: 'POST', body, headers: { ...type, ...headers } });
  return { status: response.status, text: await response.text() };
};

describe('serve --mcp', () => {
  it('offers the tools over HTTP, and says what the command line prints', async () => {
    const { mirror, url } = await served();
    const client = await connectedTo(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      ...['search', 'latest', 'series', 'calendar', 'fx', 'compare', 'why', 'sql'],
    ]);
    const given = { base: 'EUR', quote: 'USD', start_date: '2026-06-01', end_date: '2026-07-03', limit: 500 };
    const { told, sentences } = await call(client, 'fx', given);
    const window = ['--start', '2026-06-01', '--end', '2026-07-03', '--limit', '500'];
    expect(told.answer).toEqual(printed(mirror, ['fx', 'eur', 'usd', ...window, '--offline', '--allow-partial']));
    expect([told.mirror.complete, sentences.startsWith('PARTIAL')]).toEqual([false, true]);
    const sql = { query: 'select val from v_fx order by date' };
    expect((await call(client, 'sql', sql)).told.answer).toEqual({ data: [{ val: 1.5 }, { val: 1.25 }] });
    expect((await call(client, 'why', { series: 'eur/usd', row: '2026-07-03' })).told.answer).toEqual(
      printed(mirror, ['why', 'eur/usd', '2026-07-03']),
    );
    expect((await call(client, 'fx', { base: 'GBP', quote: 'SEK' })).told.error?.code).toBe('not_mirrored');
  });

  it('refuses what is held in part under --strict, and names what is missing', async () => {
    const { url } = await served(['--strict']);
    const client = await connectedTo(url);
    const given = { base: 'EUR', quote: 'USD', start_date: '2026-06-01', end_date: '2026-07-03' };
    const { told, isError } = await call(client, 'fx', given);
    expect([isError, told.error?.code]).toEqual([true, 'mirror_incomplete']);
    expect(told.error?.message).toContain('2026-06-01 to 2026-07-01');
    const whole = await call(client, 'fx', { ...given, start_date: '2026-07-02' });
    expect([whole.isError, whole.told.mirror.complete]).toEqual([false, true]);
  });

  it('answers nonsense with errors of the protocol, and lives on', async () => {
    const { url } = await served();
    expect(JSON.parse((await post(url, '{"jsonrpc":')).text).error.code).toBe(-32700);
    expect((await post(url, '{"jsonrpc":"1.0","id":1}')).status).toBe(400);
    expect((await post(url, 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
    expect((await fetch(url)).status).toBe(405);
    expect((await connectedTo(url)).getServerVersion()?.name).toBe('macro');
  });

  it('refuses pages of other sites and names that are not ours', async () => {
    const { url } = await served();
    expect((await post(url, '{}', { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post(url, '{}', { origin: 'null' })).status).toBe(403);
    expect((await post(url, '{}', { origin: new URL(url).origin })).status).not.toBe(403);
  });

  it('needs a key where a list says who may ask, of a plan that has everything', async () => {
    const keys = join(freshFolder(), 'keys.txt');
    writeFileSync(keys, 'whole-key individual reader\nsmall-key basic other\n');
    const { url } = await served(['--keys', keys]);
    const statuses = [{}, { 'x-api-key': 'no-key' }, { 'x-api-key': 'small-key' }].map(
      async (headers) => (await post(url, '{}', headers)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 403]);
    const client = await connectedTo(url, { authorization: 'Bearer whole-key' });
    expect((await call(client, 'sql', { query: 'select 1 as one' })).told.answer).toEqual({ data: [{ one: 1 }] });
  });

  it('is not there without the option', async () => {
    const mirror = join(freshFolder(), 'small.db');
    await makeMirror(mirror);
    const serving = await startServing(['--mirror', mirror], { MACRO_HOME: freshFolder() });
    onTestFinished(() => serving.stop());
    expect((await post(`${serving.origin}/mcp`, '{}')).status).toBe(404);
  });
});
