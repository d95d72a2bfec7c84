import { FACETS, type Presence, presenceOf } from '../contract/presence.ts';
import { INTERFACE } from '../endpoints/index.ts';
import { EXIT_CODES } from '../errors.ts';
import type { CommandSpec } from './command.ts';
import { usageOf } from './help.ts';
import { COMMANDS } from './tree.ts';

/** Tables of the README that are made from the program itself, by the name of their markers. */
export const GENERATED_TABLES: Readonly<Record<string, () => string>> = {
  endpoints: endpointTable,
  commands: commandTable,
  'exit-codes': exitCodeTable,
};

const ACCESS = { public: 'nobody needs a key', usd: 'USD without a key', keyed: 'with a key' } as const;

function endpointTable(): string {
  const rows = INTERFACE.map((endpoint) => {
    const presence = presenceOf(endpoint);
    const { command, ...others } = presence;
    return [
      `\`${endpoint.path}\``,
      endpoint.doc.summary,
      ACCESS[endpoint.access.class],
      command.there
        ? command.told
            .split(', ')
            .map((words) => `\`macro ${words}\``)
            .join(', ')
        : missingText(command),
      ...FACETS.flatMap((facet) =>
        facet === 'command' ? [] : [others[facet].there ? 'yes' : missingText(others[facet])],
      ),
    ];
  });
  return tableOf(['path', 'what it answers', 'access', ...FACETS], rows);
}

/** Why a cell is empty. */
function missingText({ told }: Presence): string {
  return `*${told}*`;
}

function commandTable(): string {
  return tableOf(
    ['command', 'what it does'],
    COMMANDS.map((command) => [`\`macro ${commandForm(command)}\``, command.summary]),
  );
}

function commandForm(command: CommandSpec): string {
  return [...command.path, usageOf(command).replace(/ ?\[options\]$/, '')].join(' ').trim();
}

function exitCodeTable(): string {
  const rows = Object.entries(EXIT_CODES).map(([kind, code]) => [String(code), kind]);
  return tableOf(['code', 'kind'], [['0', 'done; an empty answer included'], ...rows, ['143', 'terminated']]);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text with each marked stretch replaced by its table. Throws on a marker whose table is unknown. */
export function fillTables(text: string): string {
  return text.replace(
    /(<!-- generated:([a-z-]+) -->)[\s\S]*?(<!-- \/generated -->)/g,
    (_whole, open: string, name: string, close: string) => {
      const table = Object.hasOwn(GENERATED_TABLES, name) ? GENERATED_TABLES[name] : undefined;
      if (!table) throw new Error(`No table is named ${name}`);
      return `${open}\n${table()}\n${close}`;
    },
  );
}
