import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Queries the mirror file. */
export const SQL_COMMAND: CommandDeclaration = {
  path: ['sql'],
  summary: 'Query the mirror file; reads only, in a process of its own with bounds of time and rows',
  words: [{ name: 'query', doc: 'one SELECT; - reads standard input', optional: true, many: true }],
  options: [
    { name: 'views', doc: 'list the views and their columns' },
    {
      name: 'bind',
      value: 'NAME=VALUE',
      many: true,
      doc: 'value of a parameter of the query (:name); may be repeated',
    },
    { name: 'timeout', value: 'DUR', doc: 'end the query after so long; default 30s' },
    { name: 'limit', value: 'N', doc: 'rows at most; default 10000', heading: 'Rows and formats' },
    ...LISTING,
  ],
  examples: [`sql "select date, val_text from v_fx order by date desc limit 5"`, 'sql --views --format csv'],
  run: lazy(() => import('./sql.ts'), 'runSql'),
};
