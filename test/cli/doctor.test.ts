import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

/** What `macro doctor` says of each thing, where the service answers in some way. */
async function looked(fetch: () => Promise<Response>, env: Record<string, string> = {}, words = 'doctor') {
  const at = testPlatform({ now: NOW, fetch, env: { MACRO_BASE_URL: SERVICE_URL, ...env } });
  const { code, out, err } = await macro(`${words} --format json`, at);
  const rows: { check: string; state: string; says: string; do: string | null }[] = JSON.parse(out).data;
  return { code, err, rows: Object.fromEntries(rows.map(({ check, ...row }) => [check, row])) };
}

const answering = (date: string) => async () =>
  Response.json({ status: 'ok', service: 'x' }, { headers: { date: new Date(date).toUTCString() } });

it('shows address, key, proxy, mirror, answer and clock, and is exit 0 without a problem', async () => {
  const env = {
    MACRO_BASE_URL: 'https://svc.example',
    MACRO_API_KEY: 'secret-key',
    HTTPS_PROXY: 'http://me:pass@127.0.0.1:3128',
  };
  const { code, rows } = await looked(answering(NOW), env);
  expect([code, Object.fromEntries(Object.entries(rows).map(([check, { state }]) => [check, state]))]).toEqual([
    0,
    { program: 'ok', service: 'ok', key: 'ok', proxy: 'ok', mirror: 'note', answer: 'ok', clock: 'ok' },
  ]);
  expect(rows.service?.says).toBe('https://svc.example (MACRO_BASE_URL)');
  expect(rows.proxy?.says).toMatch(/^http:\/\/.*127\.0\.0\.1:3128.*\(HTTPS_PROXY\)$/);
  expect(JSON.stringify(rows)).not.toMatch(/secret-key|pass/);
});

it('names what follows from having no key, and a clock that is wrong', async () => {
  const { code, rows } = await looked(answering('2026-11-20T14:58:00Z'));
  expect([code, rows.key, rows.clock]).toEqual([
    0,
    { state: 'note', says: 'none: USD of the last 90 days only', do: 'macro auth login' },
    {
      state: 'note',
      says: '120 s ahead of the service: releases look early or late',
      do: 'Set the clock of this machine.',
    },
  ]);
});

it('prints all lines and ends with the code of the problem: a key that is refused', async () => {
  const refused = async () => Response.json({ detail: 'No such key.', code: 'invalid_api_key' }, { status: 401 });
  const { code, rows } = await looked(refused, { MACRO_API_KEY: 'wrong' });
  expect([code, rows.answer?.state, rows.mirror?.state]).toEqual([4, 'problem', 'note']);
});

it('asks nobody with --offline', async () => {
  const asked = () => Promise.reject(new Error('asked'));
  const { code, rows } = await looked(asked, {}, 'doctor --offline');
  expect([code, Object.keys(rows)]).toEqual([0, ['program', 'service', 'key', 'proxy', 'mirror']]);
});
