import { expect, it } from 'vitest';
import { nodeRun } from '../../src/platform/node-run.ts';

const script = (text: string) => [process.execPath, ['-e', text]] as const;

it('gives what a program says and how it ended', async () => {
  const [node, args] = script('process.stdin.pipe(process.stdout); console.error("talk"); process.exitCode = 3');
  expect(await nodeRun(node, args, { input: 'é\n' })).toEqual({ code: 3, stdout: 'é\n', stderr: 'talk\n' });
});

it('a program that is not there is 127', async () => {
  expect(await nodeRun('/no/such/program', [])).toMatchObject({ code: 127 });
});

it.each([true, false])(
  'a program that takes too long is ended, with those that it started when apart is %s',
  async (apart) => {
    const [node, args] = script('setInterval(() => {}, 1000)');
    expect(await nodeRun(node, args, { longest: 50, apart })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ended by SIGTERM',
      isLate: true,
    });
  },
);

it('a program that does not want to end is ended as well', async () => {
  const stubborn = 'trap "" TERM; while :; do sleep 1; done';
  const ended = await nodeRun('sh', ['-c', stubborn], { longest: 500, apart: true });
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'ended by SIGKILL', isLate: true });
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
