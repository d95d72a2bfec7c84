import { type CommandData, type CommandDeclaration, optionIn, optionsIn, wordsIn } from './command.ts';
import { GENERAL, LISTING, SCHEMA } from './common-options.ts';

const DRY_RUN = optionIn('--dry-run: say what would be changed, and change nothing');

type Load = () => Promise<{ readonly default: readonly CommandDeclaration[] }>;

/** Words behind `macro` that no endpoint has, in the order of help: their section, and a file that declares commands of them. */
const NOUNS: readonly (readonly [section: string, word: string, load: Load])[] = [
  ['Data catalogue', 'search', () => import('./search.ts')],
  ['Data catalogue', 'api', () => import('./api.ts')],
  ['Announcements', 'latest', () => import('./latest.ts')],
  ['Announcements', 'compare', () => import('./compare.ts')],
  ['Calendar', 'next', () => import('./next.ts')],
  ['Calendar', 'wait', () => import('./wait.ts')],
  ['Release-event delivery', 'stream', () => import('./stream/stream.ts')],
  ['Release-event delivery', 'journal', () => import('./journal.ts')],
  ['Release-event delivery', 'webhooks', () => import('./webhooks/subscriptions.ts')],
  ['Release-event delivery', 'webhooks', () => import('./webhooks/deliveries.ts')],
  ['Settlement', 'settlement', () => import('./settlement.ts')],
  ['Mirror', 'sync', () => import('./sync/sync.ts')],
  ['Mirror', 'track', () => import('./track.ts')],
  ['Mirror', 'status', () => import('./status.ts')],
  ['Mirror', 'metrics', () => import('./metrics.ts')],
  ['Mirror', 'schedule', () => import('./schedule/schedule.ts')],
  ['Mirror', 'import', () => import('./import/import.ts')],
  ['Mirror', 'mirror', () => import('./mirror/mirror.ts')],
  ['Mirror', 'diff', () => import('./diff.ts')],
  ['Mirror', 'why', () => import('./why/why.ts')],
  ['Mirror', 'sql', () => import('./sql.ts')],
  ['Mirror', 'mirror', () => import('./mirror/export.ts')],
  ['Mirror', 'lake', () => import('./lake/lake.ts')],
  ['Serve', 'serve', () => import('./serve/serve.ts')],
  ['Serve', 'mcp', () => import('./mcp.ts')],
  ['Serve', 'openapi', () => import('./openapi.ts')],
  ['This tool', 'demo', () => import('./demo/demo.ts')],
  ['This tool', 'init', () => import('./init.ts')],
  ['This tool', 'doctor', () => import('./doctor.ts')],
  ['This tool', 'selftest', () => import('./selftest.ts')],
  ['This tool', 'auth', () => import('./auth.ts')],
  ['This tool', 'quota', () => import('./quota.ts')],
  ['This tool', 'profile', () => import('./profile.ts')],
  ['This tool', 'config', () => import('./config.ts')],
  ['This tool', 'completion', () => import('./completion.ts')],
  ['This tool', 'manual', () => import('./manual/manual.ts')],
];

export async function ownCommandData(first?: string): Promise<readonly CommandData[]> {
  const data: CommandData[] = [];
  for (const [section, word, load] of NOUNS)
    if (first === undefined || word === first)
      data.push(...(await load()).default.map((declared) => dataOf(section, declared)));
  return data;
}

/** The declaration of a command; with it all that the command does is loaded. */
export async function declarationOf(path: readonly string[]): Promise<CommandDeclaration> {
  const name = path.join(' ');
  for (const [, word, load] of NOUNS) {
    const declared = word === path[0] ? (await load()).default.find((one) => one.path.join(' ') === name) : undefined;
    if (declared) return declared;
  }
  throw new Error(`No command is called ${name}`);
}

function dataOf(section: string, declared: CommandDeclaration): CommandData {
  const { run: _, rowsOf, words = [], ...data } = declared;
  const hasRows = data.rows !== undefined || rowsOf !== undefined;
  const { options = hasRows ? LISTING : GENERAL } = declared;
  return {
    ...data,
    section,
    words: typeof words === 'string' ? wordsIn(words) : words,
    options: [
      ...(declared.changes ? [DRY_RUN] : []),
      ...options.flatMap((one) => (typeof one === 'string' ? optionsIn(one) : one)),
      ...(hasRows ? [SCHEMA] : []),
    ],
  };
}
