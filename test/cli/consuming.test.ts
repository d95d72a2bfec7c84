import { expect, it } from 'vitest';
import { openHere } from '../mirror/children/world.ts';
import { dropLock } from '../mirror/postgres/support.ts';
import { page } from '../mirror/support.ts';
import { commandThat } from '../support/command-that.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { FEED, frame, GDP, INFLATION, streamWorld } from './stream-world.ts';

it('an interrupt says what it waits for while a command is running', async () => {
  let finish: (() => void) | undefined;
  const run = commandThat(
    () =>
      new Promise((resolve) => {
        finish = () => resolve({});
      }),
  );
  const world = await streamWorld({ run });
  const running = world.run('stream --exec ./desk');
  await running.until(() => world.streams.asked === 1);
  (await world.streams.request()).open(frame(INFLATION));
  await running.until(() => finish !== undefined);
  world.interrupt();
  const note = 'note: Waiting for usd_inflation_1791981000 to be dealt with; a second Ctrl-C ends at once.\n';
  await running.until(() => world.err().includes(note));
  finish?.();
  expect([await running.end(), running.lines()]).toEqual([130, [INFLATION]]);
});

it('an empty command, as a variable that is not set makes it, is exit 2', async () => {
  const world = await streamWorld();
  expect(await world.run("stream --exec ''").end()).toBe(2);
  expect(world.err()).toContain('macro: The command of --exec is empty.\n');
  expect(world.streams.asked).toBe(0);
});

it('a command that the shell does not find is exit 2, and nobody is asked', async () => {
  const world = await streamWorld({ run: async () => ({ code: 127, stdout: '', stderr: '' }) });
  expect(await world.run('stream --exec ./desk').end()).toBe(2);
  expect(world.err()).toContain('macro: The command of --exec cannot be run: ./desk is not there.\n');
  expect([world.streams.asked, world.seen]).toEqual([0, []]);
});

it('a command has the time that --exec-timeout gives, else five minutes', async () => {
  const given: (number | undefined)[] = [];
  const world = await streamWorld({
    run: async (_, __, { input, longest } = {}) => {
      if (input !== undefined) given.push(longest);
      return { code: 0, stdout: '', stderr: '' };
    },
  });
  for (const [option, event] of [
    ['', INFLATION],
    ['--exec-timeout 2h', GDP],
  ] as const) {
    const asked = world.streams.asked;
    const running = world.run(`stream --exec ./desk --max-events 1 ${option}`);
    await running.until(() => world.streams.asked === asked + 1);
    (await world.streams.request()).open(frame(event));
    await running.end();
  }
  expect(given).toEqual([300_000, 7_200_000]);
});

it('a command gets no secret of ours, unless --exec-env names it', async () => {
  const given: unknown[] = [];
  const world = await streamWorld({
    env: { MACRO_WEBHOOK_SECRET: 'w', DESK: 'rates' },
    run: async (_, __, { input, env: { MACRO_API_KEY, MACRO_WEBHOOK_SECRET, DESK } = {} } = {}) => {
      if (input !== undefined) given.push({ MACRO_API_KEY, MACRO_WEBHOOK_SECRET, DESK });
      return { code: 0, stdout: '', stderr: '' };
    },
  });
  for (const [option, event] of [
    ['', INFLATION],
    ['--exec-env MACRO_API_KEY,DESK', GDP],
  ] as const) {
    const asked = world.streams.asked;
    const running = world.run(`stream --exec ./desk --max-events 1 ${option}`);
    await running.until(() => world.streams.asked === asked + 1);
    (await world.streams.request()).open(frame(event));
    await running.end();
  }
  expect(given).toEqual([{ DESK: 'rates' }, { MACRO_API_KEY: 'k', DESK: 'rates' }]);
});

it.each([
  ['stream --exec-env MACRO_API_KEY', '--exec-env is for --exec.'],
  ['stream --exec ./desk --exec-env A=b', '--exec-env takes names of variables, separated by commas.'],
  ['stream --exec ./desk --exec-timeout 0', '--exec-timeout 0 is no time for a command.'],
  ['stream --exec ./desk --exec-timeout 2d', '--exec-timeout 2d is no time for a command.'],
  ['stream --exec-timeout 10s', '--exec-timeout 10s is for --exec.'],
])('%s is exit 2', async (line, sentence) => {
  const world = await streamWorld();
  expect(await world.run(line).end()).toBe(2);
  expect(world.err()).toContain(`macro: ${sentence}\n`);
});

it.skipIf(POSTGRES_BIN === undefined)(
  'a consumer whose lock was lost gives its command nothing more: another program may be the same one by now',
  async () => {
    const given: string[] = [];
    const run = commandThat((event) => {
      given.push(event);
      return {};
    });
    const address = await freshAddress();
    const world = await streamWorld({ run, env: { MACRO_MIRROR: address } });
    const running = world.run('stream --consumer desk --exec ./desk');
    await running.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(INFLATION));
    await running.until(() => given.length === 1 && running.lines().length === 1);
    await dropLock(address, 'consumer desk');
    const other = await openHere(address);
    await other.commitPage(page([GDP], { series: FEED, arrived: { via: 'webhook' } }));
    other.close();
    expect([await running.end(), given]).toEqual([8, [INFLATION]]);
    expect(world.err()).toContain('was lost: it was not renewed in time.');
  },
);
