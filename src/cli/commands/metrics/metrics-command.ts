// The declaration of `macro metrics`.
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Shows freshness, rows, gaps, the last run and quota to Prometheus. */
export const METRICS_COMMAND: CommandDeclaration = {
  path: ['metrics'],
  summary: 'Freshness, age, rows and gaps of what is tracked, the last run and quota, as Prometheus text',
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      doc: 'the file for a textfile collector; it is replaced as a whole',
      file: true,
      heading: 'Rows and formats',
    },
    ...GENERAL.filter(({ name }) => name !== 'format'),
  ],
  checkFile: () => undefined,
  examples: ['metrics', 'metrics -o macro.prom'],
  run: lazy(() => import('./metrics.ts'), 'printMetrics'),
};
