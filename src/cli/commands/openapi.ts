import { ENDPOINTS } from '../../endpoints/index.ts';
import { openApiDocument } from '../../openapi/document.ts';
import type { App } from '../app.ts';
import type { Call } from '../command.ts';
import { LABELS } from '../labels.ts';
import { noWords } from './only-word.ts';

/** Prints the document, indented: people read it, and machines do not mind. */
export async function printDocument(app: App, call: Call): Promise<void> {
  noWords(call, 'openapi');
  const { service } = LABELS;
  const document = openApiDocument(ENDPOINTS, {
    title: service,
    version: '1.0.0',
    labels: LABELS,
    prefixes: ['/v1', '/api/v1'],
    headerPrefix: app.settings.headerPrefix.value,
  });
  await app.printText(JSON.stringify(document, null, 2));
}
