import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { type Serving, startSandbox } from '../support/serving.ts';

let server: Serving;
const home = freshFolder();

beforeAll(async () => {
  server = await startSandbox(home);
}, 120_000);
afterAll(() => server.stop());

/** The built program, whose talk goes where nothing can be written. */
function start(words: readonly string[]) {
  const full = openSync('/dev/full', 'w');
  const env = { MACRO_HOME: freshFolder(), MACRO_BASE_URL: server.origin, MACRO_API_KEY: 'k' };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ['ignore', 'pipe', full] });
  closeSync(full);
  let out = '';
  child.stdout?.on('data', (text) => {
    out += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, out }));
  return { child, ended };
}

describe.skipIf(!existsSync('/dev/full'))('where stderr cannot be written', () => {
  it('an answer is printed, and the exit code is that of the answer', async () => {
    const { code, out } = await start(['fx', 'eur', 'usd', '--limit', '3', '--verbose', '--format', 'csv']).ended;
    expect({ code, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 4 });
  });

  it('an error keeps its exit code', async () => {
    expect(await start(['fx', 'eur', 'eur']).ended).toEqual({ code: 2, out: '' });
  });

  it('a sync goes on to its end', async () => {
    const { code, out } = await start(['sync', 'fx', 'eur', 'usd', '--format', 'json']).ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ series: 1, skipped: 0 });
  });

  it('a stream prints its events', { timeout: 120_000 }, async () => {
    const { child, ended } = start(['stream', '--max-events', '1', '--no-fetch']);
    while (child.exitCode === null) {
      runBuilt(['webhooks', 'trigger', 'usd', 'inflation'], { MACRO_HOME: home });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { code, out } = await ended;
    expect({ code, event: JSON.parse(out) }).toMatchObject({
      code: 0,
      event: { currency: 'usd', indicator: 'inflation' },
    });
  });
});
