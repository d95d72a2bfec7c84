// The two ways in: lines of a client that started us, and requests over HTTP.

import {
  createMcpHandler,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isJsonObject, readJson } from '../contract/json/json.ts';
import { createMcpServer, type McpParts } from './create-server.ts';

/** Bytes of one line. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Where lines come from and go to. */
interface LineStreams {
  /** Bytes as they come; it ends with the client. */
  readonly input: AsyncIterable<Uint8Array>;
  write(text: string): Promise<void>;
}

/** Answers one client until it goes away. */
export async function serveLines(parts: McpParts, streams: LineStreams): Promise<void> {
  const { transport, ended } = createLineTransport(streams);
  const handle = serveStdio(() => createMcpServer(parts), { transport });
  try {
    await ended;
  } finally {
    await handle.close();
  }
}

/** Answers requests over HTTP, each by itself. */
export function answerHttp(parts: McpParts): (request: Request) => Promise<Response> {
  const { fetch } = createMcpHandler(() => createMcpServer(parts), { maxSubscriptions: 16 });
  return (request) => fetch(request);
}

/** The connection; `ended` resolves when the client has gone and everything it asked is answered. */
function createLineTransport({ input, write }: LineStreams): {
  readonly transport: Transport;
  readonly ended: Promise<void>;
} {
  const pending = new Set<string | number>();
  const end = Promise.withResolvers<void>();
  let hasEnded = false;
  const settle = () => {
    if (hasEnded && pending.size === 0) end.resolve();
  };
  const forget = (id: unknown) => {
    if (typeof id === 'string' || typeof id === 'number') pending.delete(id);
    settle();
  };
  const send = async (message: JSONRPCMessage) => {
    await write(`${JSON.stringify(message)}\n`);
    if ('id' in message && !('method' in message)) forget(message.id);
  };
  const refuse = (code: number, message: string, id: string | number | null) =>
    write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  const take = async (line: string) => {
    let value: unknown;
    try {
      value = readJson(line);
    } catch {
      return refuse(ProtocolErrorCode.ParseError, 'This line is no JSON.', null);
    }
    const message = messageIn(value);
    if (!message) return refuse(ProtocolErrorCode.InvalidRequest, 'This is no message of JSON-RPC 2.0.', idIn(value));
    if ('method' in message && 'id' in message) pending.add(message.id);
    // A cancelled request gets no answer.
    else if ('method' in message && message.method === 'notifications/cancelled') forget(message.params?.requestId);
    transport.onmessage?.(message);
  };
  const read = async () => {
    for await (const line of linesOf(input)) {
      if (line === TOO_LONG)
        await refuse(ProtocolErrorCode.InvalidRequest, `A line has at most ${LONGEST_LINE} bytes.`, null);
      else if (line.trim() !== '') await take(line);
    }
    hasEnded = true;
    settle();
  };
  const transport: Transport = {
    async start() {
      read().catch(end.reject);
    },
    send,
    async close() {
      end.resolve();
      transport.onclose?.();
    },
  };
  return { transport, ended: end.promise };
}

const TOO_LONG = Symbol('a line that is too long');

/** Lines of a stream. A message that is too long is dropped whole. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | typeof TOO_LONG> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      length += to - from;
      yield length > LONGEST_LINE ? TOO_LONG : Buffer.concat([...parts, chunk.subarray(from, to)]).toString();
      parts = [];
      length = 0;
      from = to + 1;
    }
    length += chunk.length - from;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(chunk.subarray(from));
  }
  if (length > 0) yield length > LONGEST_LINE ? TOO_LONG : Buffer.concat(parts).toString();
}

function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

function idIn(value: unknown): string | number | null {
  const id = isJsonObject(value) ? value.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
