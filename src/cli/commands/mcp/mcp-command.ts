import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Answers programs that speak the Model Context Protocol. */
export const MCP_COMMAND: CommandDeclaration = {
  path: ['mcp'],
  summary: 'Tools for language models over standard input and output (Model Context Protocol), from the mirror',
  options: [
    {
      name: 'budget',
      value: 'N',
      doc: 'ask the service where the mirror does not know, with N requests at most; default 0',
    },
    ...GENERAL,
  ],
  examples: ['mcp', 'mcp --budget 50'],
  run: lazy(() => import('./mcp.ts'), 'runMcp'),
};
