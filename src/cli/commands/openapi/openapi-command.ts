import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Prints the document of the interface. */
export const OPENAPI_COMMAND: CommandDeclaration = {
  path: ['openapi'],
  summary: 'The OpenAPI 3.1 document of the whole interface',
  options: LISTING,
  examples: ['openapi', 'openapi -o openapi.json'],
  run: lazy(() => import('./openapi.ts'), 'printDocument'),
};
