import type { CommandDeclaration } from '../command.ts';

export default [
  {
    path: ['demo'],
    summary: 'Show the main commands at work, without a key or a network',
    examples: ['demo', 'demo --no-color'],
    run: async (app) => (await import('./run-demo.ts')).runDemo(app),
  },
] satisfies readonly CommandDeclaration[];
