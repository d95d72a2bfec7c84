import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openMessages } from '../../src/cli/print/messages.ts';
import { commandThat } from '../support/command-that.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { frame, INFLATION, streamWorld } from './stream-world.ts';

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const SYNTHETIC = {
  level: 'warning',
  code: 'synthetic',
  message: 'these numbers are generated: synthetic data, not real',
};

/** A world whose service answers with made-up rows. */
function syntheticWorld() {
  const pagination = { limit: 2, offset: 0, returned_count: 1, total_count: 1, has_more: false };
  const body = { base: 'EUR', quote: 'USD', pagination, data: [{ date: '2026-11-20', val: 1.15 }] };
  return testPlatform({
    fetch: async () => Response.json(body, { headers: { 'X-SVC-Synthetic': '1' } }),
    env: { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'canary-key-99' },
  });
}

it.each(['json', 'ndjson', 'JSON'])('every message is one JSON object a line under --format %s', async (format) => {
  const at = syntheticWorld();
  const ran = await macro(`fx eur usd --limit 2 --verbose --format ${format}`, at);
  expect([ran.code, linesOf(ran.err)]).toEqual([
    0,
    [{ level: 'note', code: 'asking', message: 'asking https://svc.example' }, SYNTHETIC],
  ]);
});

it('notes, warnings and the error stand in one stream of objects', async () => {
  const at = syntheticWorld();
  await macro('fx eur usd --quiet', at);
  const ran = await macro('announcements dollar inflation --offline --format json', at);
  expect([ran.code, ran.out, linesOf(ran.err)]).toMatchObject([
    3,
    '',
    [
      { level: 'note', code: 'about_question', message: 'dollar is read as USD.' },
      {
        level: 'error',
        kind: 'notFound',
        message: expect.any(String),
        hint: expect.stringMatching(/^Fill it with: macro sync/),
        status: 404,
      },
    ],
  ]);
});

it('the last --format counts, and words behind -- are none', async () => {
  expect((await macro('fx eur usd --format json --format table --start x')).err).toMatch(/^macro: /);
  expect((await macro('fx eur usd --start x -- --format json')).err).toMatch(/^macro: /);
});

it('what a command of --exec prints is a message, too', async () => {
  const world = await streamWorld({ run: commandThat(() => ({ stdout: 'bought "1"\n', stderr: 'warning: late' })) });
  const running = world.run('stream --exec ./desk --format ndjson');
  await running.until(() => world.streams.asked === 1);
  (await world.streams.request()).open(frame(INFLATION));
  await running.until(() => world.err().includes('late'));
  world.interrupt();
  await running.end();
  expect(linesOf(world.err())).toEqual(
    expect.arrayContaining([
      { level: 'note', code: 'exec_output', message: 'bought "1"' },
      { level: 'note', code: 'exec_output', message: 'warning: late' },
    ]),
  );
});

it('progress is an object once a minute, on a terminal too', async () => {
  const at = testPlatform({ terminal: true });
  const { progress } = openMessages(at.platform, { form: 'json', quiet: false, verbose: false });
  await progress('1 row');
  await at.clock.advance(60_000);
  await progress('2 rows');
  await progress('');
  expect(linesOf(at.err())).toEqual([{ level: 'note', code: 'progress', message: '2 rows' }]);
});

it('control characters are escapes, and no key stands in a message', async () => {
  const at = testPlatform({ env: { MACRO_API_KEY: 'canary-"key"-99' } });
  const { warn } = openMessages(at.platform, { form: 'json', quiet: true, verbose: false });
  await warn('a\u009b2J\u202e\nb canary-"key"-99', 'odd');
  expect(at.err()).toBe('{"level":"warning","code":"odd","message":"a\\u009b2J\\u202e\\nb [redacted]"}\n');
});

it('nothing else writes to stderr', () => {
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const writers = files.filter((file) =>
    /(?:io|process)\.stderr(?!\.isTerminal)/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(writers.sort()).toEqual([
    // Questions to a person.
    'cli/app/prompts.ts',
    'cli/print/messages.ts',
    'platform/node.ts',
  ]);
});
