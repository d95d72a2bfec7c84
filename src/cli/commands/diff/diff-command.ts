import { type CommandDeclaration, lazy } from '../command.ts';
import { ALLOW_PARTIAL, AVAILABILITY, LISTING } from '../common-options.ts';

/** Compares what was known at two moments. */
export const DIFF_COMMAND: CommandDeclaration = {
  path: ['diff'],
  summary: 'What became known between two moments: rows added, revised and withdrawn',
  words: [
    {
      name: 'words',
      doc: 'only series whose name has all of these words',
      from: 'selection',
      optional: true,
      many: true,
    },
  ],
  options: [
    {
      name: 'from',
      value: 'T',
      doc: 'the earlier moment: 2026-11-01 (its beginning, UTC), an instant, -6h, -30min, -7d (the beginning of that day)',
    },
    { name: 'to', value: 'T', doc: 'the later moment; default now' },
    { ...AVAILABILITY, heading: 'Options' },
    { name: 'limit', value: 'N', doc: 'differences at most; default 10000', heading: 'Rows and formats' },
    ALLOW_PARTIAL,
    ...LISTING,
  ],
  examples: ['diff --from -7d', 'diff fx eur usd --from 2026-11-01 --to 2026-11-15 --availability mirrored'],
  run: lazy(() => import('./diff.ts'), 'diff'),
};
