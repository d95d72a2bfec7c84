import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** What was imported. */
export const IMPORT_HISTORY_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['import', 'list'],
    summary: 'What the mirror got from which file, oldest first',
    options: LISTING,
    examples: ['import list', 'import list --format json'],
    run: lazy(() => import('./list-imports.ts'), 'listImports'),
  },
  {
    path: ['import', 'undo'],
    summary: 'Take an import back: its rows, and what its file covered',
    words: [{ name: 'id', doc: 'number of the import, as macro import list has it' }],
    options: LISTING,
    changes: true,
    examples: ['import undo 12 --dry-run', 'import undo 12'],
    changesWords: true,
    run: lazy(() => import('./undo-import.ts'), 'undoImport'),
  },
];
