import type { Endpoint } from '../../contract/endpoint.ts';
import { PAGING_NAMES } from '../../contract/paging.ts';
import type { Param } from '../../contract/params/params.ts';
import { optionName } from '../parse/options.ts';
import type { CommandSpec, OptionSpec, WordSpec } from './command.ts';

/** The command of an endpoint without what all such commands have in common: plain data. */
export interface EndpointCommand
  extends Pick<CommandSpec, 'path' | 'summary' | 'words' | 'options' | 'examples' | 'section'> {
  /** Id of the endpoint. */
  readonly id: string;
  /** False when the answer is one value and has no rows to choose from. */
  readonly hasRows: boolean;
  /** It can be put at a moment of the past. */
  readonly hasPast: boolean;
}

/** Parameters that the common options stand for. */
const COMMON = new Set(['limit', 'offset', 'page']);

/** Parameters that the options of a question of the past stand for. */
export const MOMENT: ReadonlySet<string> = new Set(['as_of', 'availability']);

/** The faces of the endpoints that have a command. */
export function commandsOf(endpoints: readonly Endpoint[]): readonly EndpointCommand[] {
  return endpoints.flatMap((endpoint) => (endpoint.cli ? [faceOf(endpoint, endpoint.cli)] : []));
}

function faceOf(endpoint: Endpoint, cli: NonNullable<Endpoint['cli']>): EndpointCommand {
  const hasPast = canBePast(endpoint);
  return {
    id: endpoint.id,
    path: cli.words,
    summary: endpoint.doc.summary,
    words: Object.entries(endpoint.at).map(([name, param]) => wordOf(name, param, endpoint)),
    options: Object.entries(endpoint.query)
      .filter(([name]) => !COMMON.has(name) && !(hasPast && MOMENT.has(name)))
      .map(([name, param]) => optionOf(name, param)),
    examples: cli.examples,
    section: sectionOf(endpoint.group),
    hasRows: endpoint.body.kind !== 'document',
    hasPast,
  };
}

/** What the mirror keeps or is made of it; not where the moment is a part of every question. */
export function canBePast({ mirror, compose, local, query }: Endpoint): boolean {
  return (mirror ?? compose) !== undefined && !local && query.as_of?.required !== true;
}

function wordOf(name: string, param: Param, { at }: Pick<Endpoint, 'at'>): WordSpec {
  return {
    name,
    doc: param.doc,
    words: param.kind === 'currency' ? param.words.map(lower) : param.words,
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

function lower(word: string): string {
  return word.toLowerCase();
}
