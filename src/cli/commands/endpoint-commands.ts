import type { Endpoint } from '../../contract/endpoint.ts';
import { PAGING_NAMES } from '../../contract/paging.ts';
import type { Param } from '../../contract/params/param.ts';
import { optionName } from '../parse/options.ts';
import type { CommandData, OptionSpec, WordSpec } from './command.ts';
import { ASKING, FORECASTS, GENERAL, ORIGIN, PAST, QUESTION, ROWS, SCHEMA } from './common-options.ts';

/** Parameters that the common options stand for. */
const COMMON = new Set(['limit', 'offset', 'page']);

/** Parameters that the options of a question of the past stand for. */
export const MOMENT: ReadonlySet<string> = new Set(['as_of', 'availability']);

export function endpointCommandData(endpoint: Endpoint): CommandData | undefined {
  const { id, doc, cli, at, query, group, body } = endpoint;
  if (!cli) return undefined;
  const hasPast = canBePast(endpoint);
  const own = Object.entries(query).filter(([name]) => !COMMON.has(name) && !(hasPast && MOMENT.has(name)));
  return {
    endpoint: id,
    path: cli.words,
    summary: doc.summary,
    words: Object.entries(at).map(([name, param]) => wordOf(name, param, endpoint)),
    options: [
      ...own.map(([name, param]) => optionOf(name, param)),
      ...(cli.hasForecasts ? FORECASTS : []),
      // A document is one value and has no rows to choose from.
      ...(body.kind === 'document' ? ASKING : QUESTION),
      ...(hasPast ? [ORIGIN, ...PAST] : []),
      ...ROWS,
      SCHEMA,
      ...GENERAL,
    ],
    examples: cli.examples,
    section: sectionOf(group),
  };
}

export function childWords(commands: readonly Pick<CommandData, 'path'>[], path: readonly string[]): readonly string[] {
  return commands.flatMap((command) => {
    const next = command.path[path.length];
    return next !== undefined && path.every((word, i) => command.path[i] === word) ? [next] : [];
  });
}

/** True for endpoints that the mirror stores or computes, unless every question must name its moment. */
export function canBePast({ mirror, compose, local, query }: Endpoint): boolean {
  return (mirror ?? compose) !== undefined && !local && query.as_of?.required !== true;
}

function wordOf(name: string, param: Param, { at }: Pick<Endpoint, 'at'>): WordSpec {
  return {
    name,
    doc: param.doc,
    words: param.kind === 'currency' ? param.words.map((word) => word.toLowerCase()) : param.words,
    ...(name === 'indicator' && at.currency !== undefined && { from: 'indicators' }),
    ...(!param.required && { optional: true }),
  };
}

function optionOf(name: string, param: Param): OptionSpec {
  const date = param.kind === 'date' ? ': YYYY-MM-DD, today, ytd, -90d, -3m, -2y' : '';
  return {
    name: optionName(name),
    value: VALUES[param.kind] ?? 'VALUE',
    doc: `${param.doc}${date}${defaultOf(param)}`,
    words: param.words,
    ...(name === 'indicator' && { from: 'indicators' as const }),
    ...(PAGING_NAMES.has(name) && { heading: 'Rows and formats' as const }),
  };
}

const VALUES: Readonly<Record<string, string>> = {
  date: 'D',
  instant: 'T',
  instants: 'T,T',
  series: 'CCY/IND,...',
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
