// What can be read beside the tools: the endpoints, what the mirror holds, catalogues, and the documents of the package.
import { INTERFACE } from '../endpoints/index.ts';
import { MacroError } from '../errors.ts';
import { argumentSchemas } from './endpoint-tools.ts';
import type { AskProgram, PackageDocument } from './tool-request.ts';
import { readableEndpoints } from './tools.ts';

/** A resource as it is listed. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const JSON_TYPE = 'application/json';
const ENDPOINTS = 'macro://endpoints';
const HELD = 'macro://held';
const CATALOGUE = 'macro://catalogue/';
const DOCS = 'macro://docs/';

export const CATALOGUE_TEMPLATE = {
  uriTemplate: `${CATALOGUE}{currency}`,
  name: 'catalogue',
  description: 'Which indicators exist for a currency, as far as the mirror holds its catalogue.',
  mimeType: JSON_TYPE,
} as const;

export function listResources(documents: readonly PackageDocument[]): readonly ListedResource[] {
  return [
    {
      uri: ENDPOINTS,
      name: 'endpoints',
      description: 'Endpoints of the tool series, and their arguments.',
      mimeType: JSON_TYPE,
    },
    { uri: HELD, name: 'held', description: 'The series that the mirror holds.', mimeType: JSON_TYPE },
    ...documents.map(({ name }) => ({
      uri: `${DOCS}${name}`,
      name,
      description: `Document of the program: ${name.replace(/\.md$/, '').replaceAll('-', ' ')}.`,
      mimeType: 'text/markdown',
    })),
  ];
}

/** The text of a resource; undefined where there is none of this address. */
export async function readResource(
  uri: string,
  {
    ask,
    documents,
    signal,
  }: { readonly ask: AskProgram; readonly documents: readonly PackageDocument[]; readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly mimeType: string } | undefined> {
  const json = (text: string) => ({ text, mimeType: JSON_TYPE });
  if (uri === ENDPOINTS) return json(JSON.stringify(readableEndpoints().map(describe)));
  const document = documents.find(({ name }) => uri === `${DOCS}${name}`);
  if (document) return { text: document.read(), mimeType: 'text/markdown' };
  if (uri === HELD)
    return json(await textOf(ask({ kind: 'command', path: ['mirror', 'status'], words: [], options: {} }, signal)));
  const catalogue = INTERFACE.find(({ id }) => id === 'data_catalogue');
  const currency = uri.startsWith(CATALOGUE) ? uri.slice(CATALOGUE.length) : '';
  if (!catalogue || !/^[A-Za-z]{3}$/.test(currency)) return undefined;
  return json(await textOf(ask({ kind: 'endpoint', endpoint: catalogue, args: { currency } }, signal)));
}

function describe(endpoint: ReturnType<typeof readableEndpoints>[number]) {
  const { id, doc, at, query } = endpoint;
  const required = Object.entries({ ...at, ...query }).flatMap(([name, param]) => (param.required ? [name] : []));
  return { endpoint: id, about: doc.summary, arguments: argumentSchemas(endpoint), required, example: doc.example };
}

async function textOf(asking: ReturnType<AskProgram>): Promise<string> {
  const { body, messages } = await asking;
  const refusal = messages.find(({ level }) => level === 'error');
  if (!refusal) return body;
  const { code, message, hint } = refusal;
  throw new MacroError('usage', hint ? `${message} ${hint}` : message, code === null ? {} : { code });
}
