import { EVERY_WORDS } from '../../../platform/schedule/scheduler.ts';
import { SHELLS } from '../../completion/shells.ts';
import { NO_CHECK } from '../auth/auth-commands.ts';
import { KEEP_IN, KEEP_REFUSED } from '../auth/key-options.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL, STREAM_ADDRESS } from '../common-options.ts';
import { HEADER_PREFIX } from '../profile/profile-commands.ts';

/** Sets up a service. */
export const INIT_COMMAND: CommandDeclaration = {
  path: ['init'],
  summary: 'Choose a service, keep its address and key, and set up what is kept up to date',
  options: [
    { name: 'preset', value: 'NAME', doc: 'a service that is known by a name; macro profile presets shows them' },
    STREAM_ADDRESS,
    HEADER_PREFIX,
    { name: 'key-stdin', doc: 'read the API key from standard input' },
    KEEP_IN,
    KEEP_REFUSED,
    NO_CHECK,
    { name: 'track', value: 'WORDS', doc: 'what macro sync keeps: calendar usd, fx eur usd; none for nothing' },
    { name: 'sync', doc: 'bring what is tracked at once' },
    { name: 'completion', value: 'SHELL', doc: 'install completions for a shell; none for none', words: SHELLS },
    { name: 'every', value: 'DUR', doc: 'let the machine run macro sync so often; none for never', words: EVERY_WORDS },
    ...GENERAL,
  ],
  changes: true,
  examples: ['init', 'init --base-url https://api.example.com --profile work --yes'],
  changesWords: true,
  run: lazy(() => import('./init.ts'), 'init'),
};
