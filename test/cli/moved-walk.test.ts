import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const MOVED = JSON.stringify({
  detail: 'No longer current.',
  code: 'dataset_version_mismatch',
  error: 'dataset_version_mismatch',
});

/** A service that says 409 to some requests, counted from one, and changes the text of the others. */
async function world(moved: readonly number[], change = (text: string) => text) {
  const made = testPlatform();
  const service = await serviceOver(await sandboxMirror(made.platform), made.platform);
  let requests = 0;
  const at = testPlatform({
    env: { MACRO_API_KEY: 'k-test-0123456789', MACRO_BASE_URL: SERVICE_URL },
    async fetch(url, init) {
      requests += 1;
      if (moved.includes(requests)) return new Response(MOVED, { status: 409 });
      const answer = await service.fetch(url, init);
      const body = answer.status === 304 ? null : change(await answer.text());
      return new Response(body, { status: answer.status, headers: answer.headers });
    },
  });
  return { at, run: (line: string) => macro(line, at), requests: () => requests };
}

describe('a live walk whose result moves', () => {
  const LINE = 'fx eur usd --live --all --start 2026-01-01 --format csv --fields date --no-header';

  it('is read again from its first page, as a sync does', async () => {
    const honest = await world([]);
    const rows = (await honest.run(LINE)).out;
    const pages = honest.requests();
    expect(pages).toBeGreaterThan(1);
    const { run, requests } = await world([2, 4]);
    const { code, out } = await run(LINE);
    expect([code, out, requests()]).toEqual([0, rows, pages + 4]);
  });

  it('is given up after three tries', async () => {
    const { run, requests } = await world([2, 4, 6]);
    expect([(await run(LINE)).code, requests()]).toEqual([10, 6]);
  });
});

describe('a number that is too large for any reader', () => {
  it.each(['predictions usd inflation', 'factor usd monetary_stance', 'fx eur usd', 'announcements usd inflation'])(
    'in a row of %s is refused, live and in a sync, and the series goes on when it is gone',
    async (words) => {
      let isBad = true;
      const rows = (text: string) => text.replace(/("(?:val|predicted_value)"):-?[\d.]+/, '$1:1e400');
      const { run } = await world([], (text) => (isBad ? rows(text) : text));
      expect([(await run(`sync ${words} --quiet`)).code, (await run(`${words} --live`)).code]).toEqual([7, 7]);
      isBad = false;
      expect((await run(`sync ${words} --quiet`)).code).toBe(0);
      expect((await run(`${words} --offline --format json`)).code).toBe(0);
    },
  );
});
