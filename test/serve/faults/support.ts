import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import { createServer } from '../../../src/serve/create.ts';
import type { FaultRule } from '../../../src/serve/faults/fault.ts';
import { createFaults } from '../../../src/serve/faults/fault-engine.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { testPlatform } from '../../support/platform.ts';
import { LABELS, sandboxMirror } from '../../support/service.ts';

export const NOW = '2026-11-20T14:00:00Z';

export interface Spoiled {
  readonly port: number;
  /** Milliseconds that somebody slept. */
  readonly slept: readonly number[];
}

/** The small sandbox behind a socket with these faults; its clock stands still but for sleeps. */
export async function spoiled(
  rules: readonly FaultRule[],
  { seed = 1, allowsHeader = true }: { seed?: number; allowsHeader?: boolean } = {},
): Promise<Spoiled> {
  const { platform, clock } = testPlatform({ now: NOW });
  const mirror = await sandboxMirror(platform);
  const app = await createServer({
    ...{ mirror, platform, endpoints: ENDPOINTS, source: createMirrorSource({ mirror, labels: LABELS }) },
    faults: createFaults({ rules, seed, allowsHeader, clock }),
    options: { labels: LABELS },
  });
  onTestFinished(() => {
    app.cut();
    return app.close();
  });
  const address = await app.listen(0, '127.0.0.1');
  return { port: Number(new URL(address).port), slept: clock.slept };
}

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Every byte. */
  readonly bytes: Buffer;
  /** How the connection ended. */
  readonly end: string;
}

/** Asks once over a connection of its own and keeps every byte until it ends. */
export function askRaw(
  { port }: Pick<Spoiled, 'port'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let end = 'closed';
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => {
      end = 'code' in error ? String(error.code) : error.message;
    });
    socket.on('close', () => resolve({ ...readAnswer(Buffer.concat(chunks)), end }));
    const lines = Object.entries({ Host: 'localhost', Connection: 'close', 'X-API-Key': 'test-key', ...headers });
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  });
}

function readAnswer(bytes: Buffer): Omit<RawAnswer, 'end'> {
  const mark = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, Math.max(mark, 0)).toString().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  const body = mark < 0 ? Buffer.alloc(0) : bytes.subarray(mark + 4);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body, bytes };
}
