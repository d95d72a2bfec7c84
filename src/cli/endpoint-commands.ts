import type { Endpoint } from '../contract/endpoint.ts';
import { PAGING_NAMES } from '../contract/paging.ts';
import type { Param } from '../contract/params.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import type { CommandSpec, OptionSpec, WordSpec } from './command.ts';
import { ASKING, GENERAL, QUESTION, ROWS } from './common-options.ts';

/** Options whose name is not that of their parameter. */
const SHORTER: Readonly<Record<string, string>> = { start_date: 'start', end_date: 'end' };
/** Parameters that the common options stand for. */
const COMMON = new Set(['limit', 'offset', 'page']);

/** The option that sets a query parameter: `--start`, `--official-only`. */
export function optionName(parameter: string): string {
  return SHORTER[parameter] ?? parameter.replaceAll('_', '-');
}

/** The command of every endpoint that has one. */
export function endpointCommands(endpoints: readonly Endpoint[] = ENDPOINTS): readonly CommandSpec[] {
  return endpoints.flatMap((endpoint) => (endpoint.cli ? [commandOf(endpoint, endpoint.cli)] : []));
}

function commandOf(endpoint: Endpoint, cli: NonNullable<Endpoint['cli']>): CommandSpec {
  return {
    path: cli.words,
    summary: endpoint.doc.summary,
    words: Object.entries(endpoint.at).map(([name, param]) => wordOf(name, param)),
    options: [
      ...Object.entries(endpoint.query)
        .filter(([name]) => !COMMON.has(name))
        .map(([name, param]) => optionOf(name, param)),
      ...(endpoint.body.kind === 'document' ? ASKING : QUESTION),
      ...ROWS,
      ...GENERAL,
    ],
    examples: cli.examples,
    section: sectionOf(endpoint.group),
    run: async (app, call) => (await import('./commands/ask.ts')).ask(app, call, endpoint),
  };
}

function wordOf(name: string, param: Param): WordSpec {
  return { name, doc: param.doc, words: param.kind === 'currency' ? param.words.map(lower) : param.words };
}

function optionOf(name: string, param: Param): OptionSpec {
  const date = param.kind === 'date' ? ': YYYY-MM-DD, today, ytd, -90d, -3m, -2y' : '';
  return {
    name: optionName(name),
    value: VALUES[param.kind] ?? 'VALUE',
    doc: `${param.doc}${date}${defaultOf(param)}`,
    words: param.words,
    heading: PAGING_NAMES.has(name) ? 'Rows and formats' : 'Options',
  };
}

const VALUES: Readonly<Record<string, string>> = {
  date: 'D',
  instant: 'T',
  choice: 'WORD',
  choices: 'A,B',
  words: 'A,B',
  integer: 'N',
  decimal: 'N',
  boolean: 'BOOL',
  zone: 'ZONE',
  slug: 'WORD',
  currency: 'CCY',
};

function defaultOf(param: Param): string {
  if (param.fromToday || !param.fallback) return '';
  return `; default ${String(param.fallback(''))}`;
}

function sectionOf(group: string): string {
  return group.startsWith('fx ') ? `FX ${group.slice(3)}` : `${group.charAt(0).toUpperCase()}${group.slice(1)}`;
}

function lower(word: string): string {
  return word.toLowerCase();
}
