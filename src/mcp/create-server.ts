// The server of the protocol: tools and resources, each request answered by itself.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { MacroError } from '../errors.ts';
import { callTool } from './call-tool.ts';
import { CATALOGUE_TEMPLATE, listResources, readResource } from './resources.ts';
import type { AskProgram, PackageDocument } from './tool-request.ts';
import { toolError, toolResult } from './tool-result.ts';
import { listTools } from './tools.ts';

/** What a server needs. */
export interface McpParts {
  readonly version: string;
  readonly ask: AskProgram;
  readonly documents: readonly PackageDocument[];
}

const INSTRUCTIONS = [
  'Macroeconomic data from a local mirror. Begin with search.',
  'Each result says in mirror.complete whether the mirror covers the question; pass a false on to the reader.',
  'Numbers with synthetic = true are made up.',
  'as_of gives what was known at a moment of the past.',
].join(' ');

/** Makes a server of one connection, or of one request over HTTP. */
export function createMcpServer({ version, ask, documents }: McpParts): Server {
  const tools = listTools();
  const server = new Server(
    { name: 'macro', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, title, description, input, output }) => ({
      ...{ name, title, description },
      inputSchema: { ...input, type: 'object' as const },
      outputSchema: { ...output, type: 'object' as const },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const legal = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool '${params.name.slice(0, 60)}'. Tools: ${legal}.`,
      );
    }
    try {
      return toolResult(await callTool(tool, params.arguments, ask, mcpReq.signal));
    } catch (error) {
      return toolError(error);
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...listResources(documents)] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [CATALOGUE_TEMPLATE] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const found = await readResource(uri, { ask, documents, signal: mcpReq.signal }).catch((error: unknown) => {
      if (!(error instanceof MacroError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.code ?? error.kind}: ${error.message}`);
    });
    if (!found) throw new ResourceNotFoundError(uri.slice(0, 200));
    return { contents: [{ uri, ...found }] };
  });
  return server;
}
