import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocument } from '../../scripts/documents.mjs';
import { main } from '../../src/main.ts';
import { testPlatform } from '../support/platform.ts';
import { commandsIn, wordsOf } from './typed.ts';

const root = join(import.meta.dirname, '../..');
const SCREEN = { columns: 100, rows: 40 } as const;

/** A question of the tour: a block of one command, and below it the screen. */
const QUESTION = /(```sh\n(?:macro [^\n]*)\n```\n\n```text\n)([\s\S]*?)(```)/g;

// With --update it is written anew.
test('the tour shows what its commands print, each on one screen, without a network', async () => {
  // A query runs in a process of its own, which a clock that jumps would end at once.
  const world = testPlatform({
    terminal: true,
    ...SCREEN,
    now: '2026-11-22T09:00:00Z',
    sleeping: 'waits',
    env: { MACRO_HOME: undefined, NO_COLOR: '1' },
  });
  cpSync(join(root, 'test/fixtures/official'), join(world.folder, 'test/fixtures/official'), { recursive: true });
  const tour = readDocument('docs/tour.md');
  const screens = new Map<string, string>();
  for (const line of commandsIn(tour)) {
    const before = world.out().length;
    expect([line, await main(wordsOf(line), world.platform)]).toEqual([line, 0]);
    const screen = world.out().slice(before).replaceAll(world.platform.home, '~');
    screens.set(line, screen);
    expect([line, screen.split('\n').length <= SCREEN.rows]).toEqual([line, true]);
    expect(screen.split('\n').filter((text) => text.length > SCREEN.columns)).toEqual([]);
  }
  const questions = [...tour.matchAll(QUESTION)];
  expect(questions.length).toBe(10);
  const filled = tour.replace(QUESTION, (_whole, block: string, _screen: string, end: string) => {
    const screen = screens.get(commandsIn(block)[0] ?? '') ?? '';
    return `${block}${screen.replaceAll(/ +$/gm, '').trimEnd()}\n${end}`;
  });
  await expect(filled).toMatchFileSnapshot(join(root, 'docs/tour.md'));
});
