import { isOn } from '../parse/options.ts';
import { API_COMMAND } from './api/api-command.ts';
import { AUTH_COMMANDS } from './auth/auth-commands.ts';
import type { CommandDeclaration, CommandSpec } from './command.ts';
import { DRY_RUN, SCHEMA } from './common-options.ts';
import { COMPARE_COMMAND } from './compare/compare-command.ts';
import { COMPLETION_COMMAND, COMPLETION_INSTALL_COMMAND } from './completion/completion-command.ts';
import { CONFIG_COMMANDS } from './config/config-commands.ts';
import { DEMO_COMMAND } from './demo/demo-command.ts';
import { DIFF_COMMAND } from './diff/diff-command.ts';
import { DOCTOR_COMMAND } from './doctor/doctor-command.ts';
import { IMPORT_COMMAND } from './import/import-command.ts';
import { IMPORT_CSV_COMMAND } from './import/import-csv-command.ts';
import { IMPORT_HISTORY_COMMANDS } from './import/import-history-commands.ts';
import { INIT_COMMAND } from './init/init-command.ts';
import { JOURNAL_COMMAND } from './journal/journal-command.ts';
import { LATEST_COMMAND } from './latest/latest-command.ts';
import { MANUAL_COMMAND } from './manual/manual-command.ts';
import { MCP_COMMAND } from './mcp/mcp-command.ts';
import { METRICS_COMMAND } from './metrics/metrics-command.ts';
import { EXPORT_COMMAND } from './mirror/export-command.ts';
import { MIRROR_COMMANDS } from './mirror/mirror-commands.ts';
import { NEXT_COMMAND } from './next/next-command.ts';
import { noWords } from './only-word.ts';
import { OPENAPI_COMMAND } from './openapi/openapi-command.ts';
import { PROFILE_COMMANDS } from './profile/profile-commands.ts';
import { QUOTA_COMMAND } from './quota/quota-command.ts';
import { SCHEDULE_COMMANDS } from './schedule/schedule-commands.ts';
import { SEARCH_COMMAND } from './search/search-command.ts';
import { SELFTEST_COMMAND } from './selftest/selftest-command.ts';
import { SERVE_COMMAND } from './serve/serve-command.ts';
import { SETTLEMENT_COMMAND } from './settlement/settlement-command.ts';
import { SQL_COMMAND } from './sql/sql-command.ts';
import { STATUS_COMMAND } from './status/status-command.ts';
import { STREAM_COMMAND } from './stream/stream-command.ts';
import { SYNC_COMMAND } from './sync/sync-command.ts';
import { TRACK_COMMANDS } from './track/track-commands.ts';
import { WAIT_COMMAND } from './wait/wait-command.ts';
import { DELIVERY_COMMANDS } from './webhooks/delivery-commands.ts';
import { WEBHOOK_COMMANDS } from './webhooks/webhook-commands.ts';
import { WHY_COMMAND } from './why/why-command.ts';

/** What their rows are like, nobody can say before: a query has any columns, and a document is no rows. */
const WITHOUT_SCHEMA: ReadonlySet<string> = new Set(['openapi', 'sql']);

/** Commands that no endpoint stands for, as help lists them: by section. */
const DECLARED: readonly (readonly [section: string, ...(CommandDeclaration | readonly CommandDeclaration[])[]])[] = [
  ['Data catalogue', SEARCH_COMMAND, API_COMMAND],
  ['Announcements', LATEST_COMMAND, COMPARE_COMMAND],
  ['Calendar', NEXT_COMMAND, WAIT_COMMAND],
  ['Release-event delivery', STREAM_COMMAND, JOURNAL_COMMAND, WEBHOOK_COMMANDS, DELIVERY_COMMANDS],
  ['Settlement', SETTLEMENT_COMMAND],
  [
    'Mirror',
    SYNC_COMMAND,
    TRACK_COMMANDS,
    STATUS_COMMAND,
    METRICS_COMMAND,
    SCHEDULE_COMMANDS,
    IMPORT_COMMAND,
    IMPORT_CSV_COMMAND,
    IMPORT_HISTORY_COMMANDS,
  ],
  ['Mirror', MIRROR_COMMANDS, DIFF_COMMAND, WHY_COMMAND, SQL_COMMAND, EXPORT_COMMAND],
  ['Serve', SERVE_COMMAND, MCP_COMMAND, OPENAPI_COMMAND],
  [
    'This tool',
    DEMO_COMMAND,
    INIT_COMMAND,
    DOCTOR_COMMAND,
    SELFTEST_COMMAND,
    AUTH_COMMANDS,
    QUOTA_COMMAND,
    PROFILE_COMMANDS,
  ],
  ['This tool', CONFIG_COMMANDS, COMPLETION_COMMAND, COMPLETION_INSTALL_COMMAND, MANUAL_COMMAND],
];

/** The commands that no endpoint stands for, or those of them whose first word is `first`. */
export function ownCommands(first?: string): readonly CommandSpec[] {
  return DECLARED.flatMap(([section, ...declared]) =>
    declared
      .flat()
      .filter(({ path }) => first === undefined || path[0] === first)
      .map((command) => inSection(section, command)),
  );
}

function inSection(section: string, command: CommandDeclaration): CommandSpec {
  const hasRows = command.options.some(({ name }) => name === 'fields');
  const hasSchema = hasRows && !WITHOUT_SCHEMA.has(command.path.join(' '));
  const options = [...(command.changes ? [DRY_RUN] : []), ...command.options, ...(hasSchema ? [SCHEMA] : [])];
  return { words: [], ...command, options, section, run: runOf(command) };
}

/** `--schema` asks for nothing else. A word that a command would not look at was meant for something: it is refused in one place for all of them. */
function runOf({ path, summary, words, run }: CommandDeclaration): CommandSpec['run'] {
  return async (app, call) => {
    if (isOn(call.options, 'schema')) {
      const { printOwnSchema } = await import('./own-schema/print-schema.ts');
      return printOwnSchema(app, call, { path, summary });
    }
    if (!words) noWords(call, path.join(' '));
    await run(app, call);
  };
}
