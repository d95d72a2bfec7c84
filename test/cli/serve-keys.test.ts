import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../src/cli/app/app.ts';
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
