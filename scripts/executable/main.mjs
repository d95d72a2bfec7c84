// Where the single executable begins. It is also the process of a query, which it starts by a word that no command has.
import { keepHeapOfImportTight, keepHeapTight, keepYoungHeapSmall } from '../../bin/small-heap.js';
import { main, nodePlatform } from '../../src/main.ts';
import { QUERY_WORD } from './query-process.mjs';

const words = process.argv.slice(2);
if (words[0] === QUERY_WORD && process.connected) void import('../../src/mirror/sql/query-child.ts');
else {
  // The same commands as in bin/macro.js, which loads no file to know them.
  if (words[0] === 'sync' || words.includes('--all')) keepYoungHeapSmall();
  if (words[0] === 'import') keepHeapOfImportTight();
  if (words[0] === 'serve') keepHeapTight();
  void main(words, nodePlatform()).then((code) => process.exit(code));
}
