import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { PROGRAM, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

/** What a result says in its structured content. */
export interface Told {
  readonly answer: { readonly [name: string]: unknown; readonly data: readonly Record<string, unknown>[] };
  readonly mirror: Record<string, unknown>;
  readonly synthetic: boolean;
  readonly as_of: string | null;
  readonly page: { offset: number; rows: number; total: number | null; next_cursor: string | null };
  readonly notes: readonly { code: string; message: string }[];
  readonly error?: { code: string; kind: string; message: string; hint: string | null };
}

/** The SDK's client, connected to `macro mcp` of the build over its standard streams. */
export async function connected(mirror: string, words: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--mirror', mirror, ...words],
      env: { MACRO_HOME: freshFolder() },
      stderr: 'ignore',
    }),
  );
  return client;
}

/** Calls a tool: its structured content, its sentences, and whether it is an error. */
export async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given });
  const [sentences, data] = content.map((block) => (block.type === 'text' ? block.text : ''));
  const told = structuredContent as Told; // checked by the client against the schema of the tool
  return { told, isError, sentences: sentences ?? '', data: data ?? '' };
}

/** What the command line prints as JSON. */
export function printed(mirror: string, words: readonly string[]): Told['answer'] {
  const given = [...words, '--mirror', mirror, '--format', 'json', '--quiet'];
  return JSON.parse(runBuilt(given, { MACRO_HOME: freshFolder() }).stdout);
}
