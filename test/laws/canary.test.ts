import { expect, it } from 'vitest';
import { commandsUnder } from '../../src/cli/commands/tree.ts';
import { main } from '../../src/main.ts';
import { inputOf, machine } from '../docs/worlds.ts';
import { splitLine } from '../support/run.ts';

const COMMANDS = await commandsUnder();

const KEY = 'canary-key-5e1f0a';

/** Commands that run until they are ended, start servers or show the key's own place. */
const NOT_RUN = /^(serve|stream|mcp|demo|wait|webhooks listen|selftest|init|schedule)\b| --watch /;

/** A service that says the key back wherever it can. */
const echo = async () =>
  Response.json(
    { detail: `Bad key ${KEY}`, code: KEY, error: KEY, nested: [{ [KEY]: KEY }] },
    { status: 401, headers: { 'x-request-id': KEY } },
  );

it.each(['', '--trace - --format json'])('the key appears in nothing that any command says: %s', async (more) => {
  const env = { MACRO_API_KEY: KEY, MACRO_BASE_URL: 'https://svc.example' };
  const lines = COMMANDS.flatMap(({ examples }) => examples).filter((line) => !NOT_RUN.test(line));
  const told: string[] = [];
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return echo();
  };
  const at = machine({ env, fetch, sleeping: 'jumps' });
  for (const line of lines) {
    const before = [at.out().length, at.err().length];
    const stdin = { ...at.platform.io.stdin, readBytes: async () => Buffer.from(inputOf(`macro ${line}`)) };
    const typed = splitLine(`${line.replace(/ < \S+$/, '')} ${more}`);
    await main(typed, { ...at.platform, io: { ...at.platform.io, stdin } });
    if ((at.out().slice(before[0]) + at.err().slice(before[1])).includes(KEY)) told.push(line);
  }
  expect(told).toEqual([]);
  expect(asked).toBeGreaterThan(20);
});
