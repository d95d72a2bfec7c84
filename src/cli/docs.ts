import { SHARED_DECISIONS } from '../contract/decisions.ts';
import { FACETS, type Facet, type Presence, presenceOf } from '../contract/presence.ts';
import { INTERFACE } from '../endpoints/index.ts';
import { EXIT_CODES } from '../errors.ts';
import { OPENAPI_ENDPOINT } from '../openapi/endpoint.ts';
import type { CommandSpec } from './command.ts';
import { usageOf } from './help.ts';
import { COMMANDS } from './tree.ts';

/** Tables of the README that are made from the program itself, by the name of their markers. */
export const GENERATED_TABLES: Readonly<Record<string, () => string>> = {
  endpoints: endpointTable,
  decisions: decisionTable,
  commands: commandTable,
  'exit-codes': exitCodeTable,
};

const ACCESS = { public: 'nobody needs a key', usd: 'USD without a key', keyed: 'with a key' } as const;

/** Every endpoint and how it is offered. A reason why something is missing stands once below the table, by its number. */
function endpointTable(): string {
  const reasons: string[] = [];
  const rows = [...INTERFACE, OPENAPI_ENDPOINT].map((endpoint) => [
    `\`${endpoint.path}\``,
    endpoint.doc.summary,
    ACCESS[endpoint.access.class],
    ...FACETS.map((facet) => cellOf(facet, presenceOf(endpoint)[facet], reasons)),
  ]);
  const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return [tableOf(['path', 'what it answers', 'access', ...FACETS], rows), '', ...notes].join('\n');
}

/** `yes` or what there is; else the number of the reason, which joins the list where it is new. */
function cellOf(facet: Facet, { there, told }: Presence, reasons: string[]): string {
  if (facet === 'provisional') return there ? told : `*${told}*`;
  if (there) return facet === 'command' ? commandsOf(told) : 'yes';
  if (!reasons.includes(told)) reasons.push(told);
  return `no (${reasons.indexOf(told) + 1})`;
}

function commandsOf(words: string): string {
  return words
    .split(', ')
    .map((word) => `\`macro ${word}\``)
    .join(', ');
}

function decisionTable(): string {
  const rows = Object.entries(SHARED_DECISIONS).map(([name, decided]) => [`\`${name}\``, decided]);
  return tableOf(['in every answer that has it', 'provisional'], rows);
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
