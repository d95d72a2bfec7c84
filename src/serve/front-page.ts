import { addHeader } from './reply/header-list.ts';
import { commonHeaders, send } from './reply/send.ts';
import type { ServedRequest } from './request.ts';
import { DOCUMENT, type ServedRoute } from './routes.ts';

/** Where people look first. */
export const FRONT_PAGE: Pick<ServedRoute, 'paths' | 'methods'> = { paths: ['/', '/docs'], methods: ['GET', 'HEAD'] };

/** Tells a person in a few lines where to go on. It needs no key and costs no quota. */
export function showFrontPage(served: ServedRequest): void {
  const { service } = served.serve.labels;
  const list = commonHeaders(served);
  addHeader(list, 'Content-Type', 'text/plain; charset=utf-8');
  addHeader(list, 'Cache-Control', 'no-store');
  const lines = [
    `${service}: an HTTP interface to macroeconomic data.`,
    '',
    `All routes, their parameters and answers: ${DOCUMENT}`,
    'Whether it is up: /v1/ping',
  ];
  send(served, 200, list, `${lines.join('\n')}\n`);
}
