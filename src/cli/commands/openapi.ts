import type { JsonObject } from '../../contract/json/json.ts';
import { INTERFACE } from '../../endpoints/index.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { LABELS } from '../../source/labels.ts';
import type { App } from '../app/app.ts';
import type { CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';

export default [
  {
    path: ['openapi'],
    summary: 'Print the OpenAPI 3.1 document of the whole interface',
    options: LISTING,
    examples: ['openapi', 'openapi -o openapi.json'],
    // Indented: people read it, and machines do not mind.
    run: (app) => app.printText(JSON.stringify(documentOf(app), null, 2)),
  },
] satisfies readonly CommandDeclaration[];

/** The document of the whole interface, of what `serve` does not answer too. */
export function documentOf(app: App): JsonObject {
  return openApiDocument(INTERFACE, {
    title: LABELS.service,
    version: '1.0.0',
    labels: LABELS,
    prefixes: ['/v1', '/api/v1'],
    headerPrefix: app.settings.headerPrefix.value,
  });
}
