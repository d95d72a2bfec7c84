import { type CommandDeclaration, lazy } from '../command.ts';
import { ALLOW_PARTIAL, GENERAL, SPENDING } from '../common-options.ts';

/** Asks the service by hand. */
export const API_COMMAND: CommandDeclaration = {
  path: ['api'],
  summary: 'Any path of the service with its key; the body as it comes, nothing is kept',
  words: [
    { name: 'method', doc: 'method, GET when left out', words: ['get', 'post', 'patch', 'delete'], optional: true },
    { name: 'path', doc: 'path and query, like /v1/ping' },
  ],
  options: [
    {
      name: 'field',
      short: 'f',
      value: 'NAME=VALUE',
      many: true,
      doc: 'query parameter of a GET, else member of the JSON body; NAME[]=ITEM for lists, NAME:=JSON for other values',
    },
    { name: 'input', value: 'FILE', doc: 'JSON body from a file; - reads standard input', file: true },
    { name: 'include', short: 'i', doc: 'the headers of the answer before its body' },
    { name: 'output', short: 'o', value: 'FILE', doc: 'write a file ending in .json', file: true },
    { name: 'offline', doc: 'ask the mirror only, for a GET of a path that is known', heading: 'Source' },
    ALLOW_PARTIAL,
    ...SPENDING,
    ...GENERAL,
  ],
  examples: ['api /v1/ping', 'api /v1/announcements/usd/inflation -f limit=3 --offline'],
  run: lazy(() => import('./api.ts'), 'api'),
};
