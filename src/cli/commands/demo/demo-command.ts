import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Shows the tool at work. */
export const DEMO_COMMAND: CommandDeclaration = {
  path: ['demo'],
  summary: 'See the tool work, without a key and without a network',
  options: GENERAL,
  examples: ['demo', 'demo --no-color'],
  run: lazy(() => import('./demo.ts'), 'demo'),
};
