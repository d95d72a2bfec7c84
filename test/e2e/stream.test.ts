import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt, PROGRAM, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';

beforeAll(ensureBuilt);

const idOf = (line: string): string => JSON.parse(line).event_id;

interface Following {
  readonly child: ChildProcess;
  /** Waits for the line of an event; the sandbox may have releases of its own in between. */
  line(id: string): Promise<void>;
}

/** The built program on the stream of a server, once it has asked for what was missed. */
async function follow(origin: string, home: string, command: string): Promise<Following> {
  const env = { PATH: process.env.PATH ?? '', MACRO_HOME: home, MACRO_BASE_URL: origin, MACRO_API_KEY: 'k' };
  const child = spawn(process.execPath, [PROGRAM, 'stream', '--consumer', 'desk', '--exec', command], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const reader = createInterface({ input: child.stdout });
  const waiting: string[] = [];
  reader.on('line', (text) => waiting.push(text));
  let said = '';
  for await (const [text] of on(child)) {
    said += text;
    if (said.includes('Each connection')) break;
  }
  return {
    child,
    async line(id) {
      while (!waiting.some((text) => idOf(text) === id)) await once(reader, 'line');
    },
  };
}

async function* on({ stderr }: ChildProcess): AsyncGenerator<readonly [string]> {
  while (stderr) {
    const [text] = await once(stderr, 'data');
    yield [String(text)];
  }
}

it('each release reaches the command once, though the program is killed, down and started again', {
  timeout: 120_000,
}, async () => {
  const [served, home] = [freshFolder(), freshFolder()];
  const done = join(home, 'done.ndjson');
  const server = await startServing(['--sandbox', '--no-quota'], { MACRO_HOME: served });
  onTestFinished(() => server.stop());
  const release = (indicator: string): string => {
    const { stdout } = runBuilt(['webhooks', 'trigger', 'usd', indicator, '--format', 'ndjson'], {
      MACRO_HOME: served,
    });
    return JSON.parse(stdout).event_id;
  };
  const command = `cat >> '${done}'`;

  const killed = await follow(server.origin, home, command);
  const first = release('inflation');
  await killed.line(first);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const missed = release('gdp');

  const next = await follow(server.origin, home, command);
  await next.line(missed);
  const last = release('policy_rate');
  await next.line(last);
  next.child.kill('SIGTERM');
  expect(await once(next.child, 'exit')).toEqual([143, null]);
  const made = [first, missed, last];
  const given = readFileSync(done, 'utf8').trim().split('\n').map(idOf);
  expect(given.filter((id) => made.includes(id))).toEqual(made);
});
