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
    options: [{ name: 'dry-run', doc: 'show what would go and come back, and write nothing' }, ...LISTING],
    examples: ['import undo 12 --dry-run', 'import undo 12'],
    run: lazy(() => import('./undo-import.ts'), 'undoImport'),
  },
];
