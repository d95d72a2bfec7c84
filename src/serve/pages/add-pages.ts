// Where the pages stand. What they do is loaded when the first one is asked for.
import type { FastifyInstance } from 'fastify';
import { fail } from '../reply/fail.ts';
import { openRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { ServeState } from '../state.ts';
import type { PageContext } from './page-context.ts';

/** They cost no quota; those of them that show a caller's own data need a key. */
export const PAGE_ROUTES: Pick<ServedRoute, 'paths' | 'methods'> = {
  paths: ['/', '/docs', '/explore'],
  methods: ['GET', 'HEAD'],
};

const DATA_ROUTE = '/pages/*';

/** Adds the pages and what they load. */
export function addPages(app: FastifyInstance, serve: ServeState, given: Omit<PageContext, 'open'>): void {
  const context: PageContext = { ...given, open: { streams: 0, questions: 0 } };
  for (const url of [...PAGE_ROUTES.paths, DATA_ROUTE])
    app.route({
      method: [...PAGE_ROUTES.methods],
      url,
      handler: async (request, reply) => {
        const served = openRequest(serve, request, reply);
        try {
          const { showPage } = await import('./show-page.ts');
          await showPage(served, context);
        } catch (error) {
          fail(served, await serve.explain(error));
        }
        return reply;
      },
    });
}
