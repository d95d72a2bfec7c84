import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeMirror } from '../library/small-mirror.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

beforeAll(ensureBuilt);

const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 'first', method: 'initialize' },
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
});

/** Everything that `macro mcp` writes to lines that end with the input, and how it leaves. */
async function talk(lines: readonly string[]) {
  const mirror = join(freshFolder(), 'small.db');
  await makeMirror(mirror);
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--mirror', mirror], { env: { MACRO_HOME: freshFolder() } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => (said.out += text));
  child.stderr.on('data', (text) => (said.err += text));
  const left = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const code = await left;
  const answers = said.out.split('\n').filter((line) => line !== '');
  return { code, err: said.err, answers: answers.map((line) => JSON.parse(line)) };
}

describe('lines to macro mcp', () => {
  it('that are no messages are errors of the protocol, and the next one is answered', async () => {
    const { code, err, answers } = await talk([
      INITIALIZE,
      '{"jsonrpc":"2.0","id":1,',
      '[]',
      '{"jsonrpc":"1.0","id":7,"method":"ping"}',
      '"x"',
      '',
      '['.repeat(100_000),
      `{"jsonrpc":"2.0","id":8,"method":"${'a'.repeat(10 * 1024 * 1024)}"}`,
      '{"jsonrpc":"2.0","id":9,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":5}}',
      '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"sql","arguments":{"query":"select 1 as one"}}}',
      '{"jsonrpc":"2.0","id":12,"method":"ping"}',
    ]);
    expect([code, err]).toEqual([0, '']);
    const told = answers.map(({ id, error, result }) => [id, error?.code ?? typeof result]);
    expect(new Set(told.map((pair) => JSON.stringify(pair)))).toEqual(
      new Set(
        [
          ['first', 'object'],
          [null, -32700],
          [null, -32600],
          [7, -32600],
          [9, -32601],
          [10, -32602],
          [11, 'object'],
          [12, 'object'],
        ].map((pair) => JSON.stringify(pair)),
      ),
    );
    expect(answers.find(({ id }) => id === 11).result.structuredContent.answer).toEqual({ data: [{ one: 1 }] });
    // The broken line and the nest; the list, the text and the line of ten megabytes.
    expect(told.filter(([id]) => id === null).map(([, error]) => error)).toEqual([
      -32700, -32600, -32600, -32700, -32600,
    ]);
  });

  it('may speak an older version of the protocol', async () => {
    const { answers } = await talk([INITIALIZE]);
    expect(answers[0].result).toMatchObject({ protocolVersion: '2025-03-26', serverInfo: { name: 'macro' } });
  });
});
