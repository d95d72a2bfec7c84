// The two ways in: lines of a client that started us, and requests over HTTP.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpParts } from './create-server.ts';
import { createLineTransport, type LineStreams } from './line-transport.ts';

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
