import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeRun } from '../../src/platform/node.ts';
import { freshFolder } from '../support/platform.ts';

const script = (text: string) => [process.execPath, ['-e', text]] as const;

it('gives what a program says and how it ended', async () => {
  const [node, args] = script('process.stdin.pipe(process.stdout); console.error("talk"); process.exitCode = 3');
  expect(await nodeRun(node, args, { input: 'é\n' })).toEqual({ code: 3, stdout: 'é\n', stderr: 'talk\n' });
});

it('a program that is not there is 127', async () => {
  expect(await nodeRun('/no/such/program', [])).toMatchObject({ code: 127 });
});

describe('a program that takes too long', () => {
  // The test says when time is over: a busy machine would start the program, or end it, later than any short time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([true, false])('is ended, with those that it started when apart is %s', async (apart) => {
    const [node, args] = script('setInterval(() => {}, 1000)');
    const running = nodeRun(node, args, { longest: 50, apart });
    vi.advanceTimersByTime(50);
    expect(await running).toEqual({ code: 1, stdout: '', stderr: 'ended by SIGTERM', isLate: true });
  });

  it('is ended as well when it does not want to end', async () => {
    const ready = join(freshFolder(), 'ready');
    const stubborn = 'trap "" TERM; : > "$1"; while :; do sleep 1; done';
    const running = nodeRun('sh', ['-c', stubborn, 'sh', ready], { longest: 500, apart: true });
    while (!existsSync(ready)) await setImmediate();
    vi.advanceTimersByTime(500);
    vi.advanceTimersByTime(500);
    expect(await running).toEqual({ code: 1, stdout: '', stderr: 'ended by SIGKILL', isLate: true });
  });
});

describe('a program that is ended by a signal of ours', () => {
  it.each([
    [true, 'ended by SIGKILL'],
    [false, 'ended by SIGTERM'],
  ])('has said what was heard of it meanwhile, killed at once: %s', async (isAbrupt, stderr) => {
    const over = new AbortController();
    const heard: string[] = [];
    const hear = (text: string) => {
      heard.push(text);
      over.abort();
    };
    const [node, args] = script('process.stdout.write("ready"); setInterval(() => {}, 1000)');
    const ran = await nodeRun(node, args, { signal: over.signal, hear, isAbrupt });
    expect([ran, heard]).toEqual([{ code: 1, stdout: 'ready', stderr }, ['ready']]);
  });

  it('ends by itself as any other one where the signal comes too late', async () => {
    const over = new AbortController();
    const ran = await nodeRun('true', [], { signal: over.signal });
    over.abort();
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

it('a program that is apart has a process group of its own', async () => {
  const { stdout } = await nodeRun('sh', ['-c', 'ps -o pgid= -p $$; echo $$'], { apart: true });
  const [group, own] = stdout.trim().split(/\s+/);
  expect(group).toBe(own);
});

it('a program that does not read its input is no failure', async () => {
  expect(await nodeRun('true', [], { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 });
});

it('a program that is apart has ended when it has, whatever it left running', async () => {
  const { code, stdout } = await nodeRun('sh', ['-c', 'sleep 300 & echo $!'], { apart: true });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
  process.kill(Number(stdout));
});
