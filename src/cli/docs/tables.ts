import { CAPABILITIES, type Capabilities, type Capability, serviceCapabilities } from '../../contract/capabilities.ts';
import { SHARED_DECISIONS } from '../../contract/decisions.ts';
import { INTERFACE } from '../../endpoints/index.ts';
import { type ErrorKind, EXIT_CODES } from '../../errors.ts';
import { OPENAPI_ENDPOINT } from '../../openapi/endpoint.ts';
import { commandList } from './commands.ts';
import { settingTable } from './settings.ts';
import { markdownTable } from './table.ts';

/** Parts of the documents that are made from the program itself, by the name of their markers. */
export const GENERATED_TABLES: Readonly<Record<string, () => string>> = {
  endpoints: endpointTable,
  decisions: decisionTable,
  commands: commandList,
  settings: settingTable,
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
    ...CAPABILITIES.map((facet) => cellOf(facet, serviceCapabilities(endpoint)[facet], reasons)),
  ]);
  const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return [markdownTable(['path', 'what it answers', 'access', ...CAPABILITIES], rows), '', ...notes].join('\n');
}

/** `yes` or what there is; else the number of the reason, which joins the list where it is new. */
function cellOf(facet: Capability, { there, text }: Capabilities, reasons: string[]): string {
  if (facet === 'provisional') return there ? text : `*${text}*`;
  if (there) return facet === 'command' ? commandsOf(text) : 'yes';
  if (!reasons.includes(text)) reasons.push(text);
  return `no (${reasons.indexOf(text) + 1})`;
}

function commandsOf(words: string): string {
  return words
    .split(', ')
    .map((word) => `\`macro ${word}\``)
    .join(', ');
}

function decisionTable(): string {
  const rows = Object.entries(SHARED_DECISIONS).map(([name, decided]) => [`\`${name}\``, decided]);
  return markdownTable(['in every answer that has it', 'provisional'], rows);
}

/** What a script may conclude from an exit code. */
const EXIT_MEANINGS: Readonly<Record<ErrorKind, string>> = {
  internal: 'A bug of the program, or no build.',
  usage: 'A word, an option or a value is wrong. The message names the legal ones.',
  notFound: 'The service or the mirror has no such thing.',
  auth: 'A key is missing, refused or not enough, or no service is configured.',
  quota: 'The quota is spent. The message says when it frees.',
  upstream: 'The network failed, a time limit passed, or the service answered with errors after four tries.',
  protocol: 'The answer of the service is not what the interface promises. Nothing of it was kept.',
  mirror: 'The mirror is locked, damaged, full, of another service, or newer than the program.',
  verification: 'A signature, a digest or a stored row is not what it should be.',
  incomplete:
    'Something is there and something is missing: a partial answer, a sync of which some series failed, a read that was stopped early. Run it again.',
  stale: 'What was waited for did not come in time, a stream was silent too long, or events are missing for good.',
  busy: 'Another sync of this mirror, or another program of the same consumer, is running.',
  interrupted: 'Ctrl-C.',
};

function exitCodeTable(): string {
  const rows = Object.entries(EXIT_CODES).map(([kind, code]) => [String(code), kind, meaningOf(kind)]);
  const ends = [
    ['0', '', 'Done. An empty answer is an answer.'],
    ...rows,
    ['143', 'interrupted', 'Ended by the system (SIGTERM).'],
  ];
  return markdownTable(['code', 'kind', 'meaning'], ends);
}

function meaningOf(kind: string): string {
  return new Map(Object.entries(EXIT_MEANINGS)).get(kind) ?? '';
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
