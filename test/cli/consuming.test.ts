import { expect, it } from 'vitest';
import type { Run } from '../../src/platform/platform.ts';
import { openHere } from '../mirror/children/world.ts';
import { dropLock } from '../mirror/postgres/support.ts';
import { page } from '../mirror/support.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { FEED, frame, GDP, INFLATION, streamWorld } from './stream-world.ts';

it('an interrupt says what it waits for while a command is running', async () => {
  let finish: (() => void) | undefined;
  const run: Run = () =>
    new Promise((resolve) => {
      finish = () => resolve({ code: 0, stdout: '', stderr: '' });
    });
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

it.skipIf(POSTGRES_BIN === undefined)(
  'a consumer whose lock was lost gives its command nothing more: another program may be the same one by now',
  async () => {
    const given: string[] = [];
    const run: Run = async (_, __, { input } = {}) => {
      given.push(String(input));
      return { code: 0, stdout: '', stderr: '' };
    };
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
    expect([await running.end(), given]).toEqual([8, [`${INFLATION}\n`]]);
    expect(world.err()).toContain('was lost together with its connection.');
  },
);
