import { addonFile } from './addon.mjs';

export const QUERY_WORD = 'process-of-a-query';

/** How the executable starts the process of a query: itself. The process has no environment, so it is told where the driver is. */
export function queryProcess() {
  return { module: QUERY_WORD, words: [addonFile()] };
}
