// The program of the single executable. It is also the process of a query, which it starts by a word that no command has.
import { keepHeapSmall } from '../../bin/small-heap.js';
import { main, nodePlatform } from '../../src/main.ts';
import { QUERY_WORD } from './query-process.mjs';

export { main, nodePlatform };

export function start() {
  const words = process.argv.slice(2);
  if (words[0] === QUERY_WORD && process.connected) return import('../../src/mirror/sql/query-child.ts');
  // The same commands as in bin/macro.js.
  if (words[0] === 'import' || words[0] === 'serve') keepHeapSmall(words[0]);
  return main(words, nodePlatform()).then((code) => process.exit(code));
}
