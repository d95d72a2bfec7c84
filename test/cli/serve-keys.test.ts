import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../src/cli/app/app.ts';
import { openServeLog } from '../../src/cli/commands/serve/run-server.ts';
import { readBehaviour } from '../../src/cli/commands/serve/serve.ts';
import { testPlatform } from '../support/platform.ts';

it('reads the keys of its file again when it has changed and at SIGHUP, and keeps them when it is wrong', async () => {
  const { platform, clock, folder, hangUp, err } = testPlatform();
  const file = join(folder, 'keys.txt');
  writeFileSync(file, 'alpha trial desk A\n');
  const app = createApp(platform, { keys: 'keys.txt' }, new AbortController().signal);
  const at = { port: 0, host: '127.0.0.1', clock };
  const { keys } = readBehaviour(app, { keys: 'keys.txt' }, at);
  const labels = () => keys?.().map(({ label }) => label);
  expect(labels()).toEqual(['desk A']);
  expect(keys?.()).toBe(keys?.());
  writeFileSync(file, 'alpha trial desk A\nbeta trial desk B\n');
  expect(labels()).toEqual(['desk A']);
  clock.jump(1_000);
  expect(labels()).toEqual(['desk A', 'desk B']);
  writeFileSync(file, 'beta trial a new desk B\n');
  hangUp();
  expect(labels()).toEqual(['a new desk B']);
  writeFileSync(file, 'beta nonsense\n');
  clock.jump(1_000);
  expect(labels()).toEqual(['a new desk B']);
  await expect.poll(err).toContain('keeps the keys it has');
});

it('refuses every key once its file is empty, and says so in the log of the server, too', async () => {
  const { platform, clock, folder, err } = testPlatform();
  const file = join(folder, 'keys.txt');
  writeFileSync(file, 'alpha trial desk A\n', { mode: 0o644 });
  const options = { keys: 'keys.txt', log: 'serve.log', 'log-format': 'json' };
  const app = createApp(platform, options, new AbortController().signal);
  const log = openServeLog(app, options);
  const { keys } = readBehaviour(app, options, { port: 0, host: '127.0.0.1', clock, log });
  expect(keys?.().length).toBe(1);
  await expect.poll(err).toContain(`Others can read the keys file ${file}. Run chmod o= ${file}.`);
  for (const text of ['', 'alpha nonsense\n', 'beta trial B\n']) {
    writeFileSync(file, text);
    clock.jump(1_000);
    expect(keys?.().length).toBe(text.startsWith('beta') ? 1 : 0);
  }
  await expect.poll(err).toContain(`refuses every key: ${file} has none any more`);
  const lines = readFileSync(join(folder, 'serve.log'), 'utf8').trim().split('\n');
  expect(lines.map((line) => [JSON.parse(line).level, JSON.parse(line).event])).toEqual([
    ['warning', 'keys_revoked'],
    ['warning', 'keys_kept'],
    ['info', 'keys_read'],
  ]);
});

it('does not start with a file without keys', () => {
  const { platform, clock, folder } = testPlatform();
  writeFileSync(join(folder, 'keys.txt'), '# none\n');
  const app = createApp(platform, { keys: 'keys.txt' }, new AbortController().signal);
  const at = { port: 0, host: '127.0.0.1', clock };
  expect(() => readBehaviour(app, { keys: 'keys.txt' }, at)).toThrow('The keys file has no keys.');
});
