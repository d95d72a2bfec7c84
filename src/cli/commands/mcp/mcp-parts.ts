// What the server of the protocol is made of here: command lines that answer, and the documents of this package.
import { dirname, join } from 'node:path';
import type { McpParts } from '../../../mcp/create-server.ts';
import type { PackageDocument } from '../../../mcp/tool-request.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AskByWordsOptions, createAskByWords } from './ask-by-words.ts';

export function mcpParts(options: AskByWordsOptions): McpParts {
  return {
    version: globalThis.MACRO_VERSION ?? '0.0.0',
    ask: createAskByWords(options),
    documents: documentsOf(options.platform),
  };
}

/** The documents beside the program; the single executable has none. */
function documentsOf({ files, program }: Platform): readonly PackageDocument[] {
  const script = program.at(-1);
  const folder = script === undefined ? '' : join(dirname(dirname(script)), 'docs');
  if (program.length < 2 || !files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({ name, read: () => files.readText(join(folder, name)) }));
}
