import { describe, expect, it } from 'vitest';
import { commandsUnder } from '../../src/cli/commands/tree.ts';
import { type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

/** Commands that run until they are ended, or start servers: only their refusals are looked at here. */
const LASTING = /^(serve|stream|mcp|demo|wait|webhooks listen|import .*--watch|sync .*--watch)/;

/** What is no message: each line of standard error must be one object with a level, a code and a sentence. */
function strays(err: string): readonly string[] {
  return err.split('\n').filter((line) => line !== '' && !isMessage(line));
}

function isMessage(line: string): boolean {
  try {
    const { level, code, message } = JSON.parse(line);
    const isLevel = ['note', 'warning', 'error'].includes(level);
    return isLevel && /^[A-Za-z][\w-]*$/.test(String(code)) && typeof message === 'string' && message !== '';
  } catch {
    return false;
  }
}

/** What is wrong with the messages of lines, each in a machine of its own. */
async function wrongIn(lines: readonly string[], options: TestPlatformOptions) {
  const wrong: unknown[] = [];
  let told = 0;
  for (const line of lines) {
    const { err } = await macro(`${line} --format json`, options);
    told += err === '' ? 0 : 1;
    if (strays(err).length > 0) wrong.push([line, strays(err)]);
  }
  return { wrong, told };
}

const commands = await commandsUnder();
const paths = commands.map(({ path }) => path.join(' '));
const isShort = (line: string) => !LASTING.test(line) && !/[<|]/.test(line);
const examples = commands.flatMap(({ examples: both }) => both).filter(isShort);
/** One of each command: what a service adds are the same few messages for all. */
const firstExamples = commands.flatMap(({ examples: both }) => both.filter(isShort).slice(0, 1));

describe('under --format json every message is one object with level and code', () => {
  it('where a command line is refused', async () => {
    const { wrong, told } = await wrongIn(
      paths.flatMap((path) => [`${path} --surely-not`, `${path} a b c d e f`, `${path} --budget x --limit x`]),
      {},
    );
    expect(wrong).toEqual([]);
    expect(told).toBeGreaterThan(2 * paths.length);
  });

  it('where nothing is configured and nothing is held', async () => {
    const { wrong, told } = await wrongIn(examples, {});
    expect(wrong).toEqual([]);
    expect(told).toBeGreaterThan(50);
  });

  it('where a mirror of made-up data answers', async () => {
    const { wrong, told } = await wrongIn(
      examples.filter((line) => !/^(mirror|webhooks|import|track)/.test(line)),
      {
        env: { MACRO_MIRROR: await sandboxPath(testPlatform().platform) },
      },
    );
    expect(wrong).toEqual([]);
    expect(told).toBeGreaterThan(30);
  });

  it('where a service answers', async () => {
    const at = testPlatform();
    const { fetch } = await serviceOver(await sandboxMirror(at.platform), at.platform);
    const { wrong, told } = await wrongIn(firstExamples, {
      fetch,
      env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'a-key' },
    });
    expect(wrong).toEqual([]);
    expect(told).toBeGreaterThan(30);
  });
});
