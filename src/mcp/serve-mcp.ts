// The way in of a client that started us: lines on its standard streams.
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
