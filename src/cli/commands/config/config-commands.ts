import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';

/** Commands about settings. */
export const CONFIG_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['config', 'get'],
    summary: 'One setting as it is in force',
    words: [
      {
        name: 'name',
        doc: 'name of the setting',
        words: ['format', 'fields', 'profile', 'base-url', 'mirror', 'tracks'],
      },
    ],
    options: GENERAL,
    examples: ['config get mirror', 'config get format'],
    run: lazy(() => import('./config.ts'), 'getSetting'),
  },
  {
    path: ['config', 'set'],
    summary: 'Keep a setting; without a value, forget it',
    words: [
      { name: 'name', doc: 'name of the setting', words: ['format', 'fields', 'profile', 'mirror'] },
      { name: 'value', doc: 'its value', optional: true },
    ],
    options: GENERAL,
    changes: true,
    examples: ['config set format csv', 'config set fields date,val'],
    run: lazy(() => import('./config.ts'), 'setSetting'),
  },
  {
    path: ['config', 'explain'],
    summary: 'Every setting and where it comes from',
    options: LISTING,
    examples: ['config explain', 'config explain --format json'],
    run: lazy(() => import('./config.ts'), 'explainSettings'),
  },
];
