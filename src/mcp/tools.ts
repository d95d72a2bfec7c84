// The tools, in the order in which they are listed.
import { isOffline } from '../contract/capabilities.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { date, type JsonSchema, mapOf, nullable, object, open, string } from '../contract/json/schema.ts';
import { INTERFACE } from '../endpoints/index.ts';
import { MacroError } from '../errors.ts';
import { askEndpoint, endpointTool } from './endpoint-tools.ts';
import { inputOf, outputOf, PAST_ARGUMENTS, rowsIn, type Tool, WINDOW_ARGUMENTS } from './tool.ts';

/** Rows that a query or a search may find at most, over all of its results. */
const MOST_FOUND = { compare: '10000', search: '1000', sql: '10000' } as const;

/** Endpoints that `series` reads: those with a command whose rows are read whole or by offset. */
export function readableEndpoints(): readonly Endpoint[] {
  return INTERFACE.filter(
    (endpoint) => endpoint.cli && isOffline(endpoint) && ['none', 'offset'].includes(endpoint.paging.kind),
  );
}

export function listTools(): readonly Tool[] {
  return [
    SEARCH,
    endpointTool(endpointCalled('announcements_latest'), {
      name: 'latest',
      title: 'Newest values',
      description:
        'The newest value of every indicator of a currency, the value before it, and when each was released.',
    }),
    seriesTool(),
    endpointTool(endpointCalled('calendar'), {
      name: 'calendar',
      title: 'Calendar of releases',
      description: 'Releases that are coming for a currency, with their times in UTC and of the place.',
    }),
    endpointTool(endpointCalled('forex'), {
      name: 'fx',
      title: 'Exchange rates',
      description: 'Daily reference rates of a currency pair, with technical indicators if they are named.',
    }),
    COMPARE,
    WHY,
    SQL,
  ];
}

const SEARCH: Tool = {
  name: 'search',
  title: 'Search',
  description:
    'Finds indicators, currencies, commodities and commands by name. Begin here to learn the words of the others.',
  input: inputOf({ query: string('words to look for, such as: usd cpi'), ...WINDOW_ARGUMENTS }, ['query']),
  output: outputOf(
    rowsIn(
      object({
        kind: string('indicator, commodity, currency, command or value'),
        word: string('what other tools call it'),
        name: nullable(string()),
        currencies: nullable(string('codes with commas')),
        command: string(),
      }),
    ),
  ),
  unjudged: 'a search looks through tables and through the catalogues that the mirror holds',
  ask: ({ texts }) => ({
    kind: 'command',
    path: ['search'],
    words: (texts.query ?? '').split(/\s+/),
    options: { limit: MOST_FOUND.search },
  }),
};

const COMPARE: Tool = {
  name: 'compare',
  title: 'Currencies side by side',
  description: 'One indicator of several currencies: a row for each period, a member for each currency, newest first.',
  input: inputOf(
    {
      currencies: string('codes with commas, such as: usd,eur,gbp'),
      indicator: string('indicator, such as: inflation'),
      start_date: date('first period; default one year back'),
      end_date: date('last period'),
      ...PAST_ARGUMENTS,
      ...WINDOW_ARGUMENTS,
    },
    ['currencies', 'indicator'],
  ),
  output: outputOf(rowsIn(object({ date: date('reference period') }))),
  ask: ({ texts: { currencies = '', indicator = '', start_date: start, end_date: end, ...past } }) => ({
    kind: 'command',
    path: ['compare'],
    words: [currencies, indicator],
    options: {
      limit: MOST_FOUND.compare,
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
      ...(past.as_of !== undefined && { 'as-of': past.as_of }),
      ...(past.availability !== undefined && { availability: past.availability }),
    },
  }),
};

const WHY: Tool = {
  name: 'why',
  title: 'Where a number came from',
  description:
    'Every value that a row had: since when it was known to whom, who published it, which request or file brought it.',
  input: inputOf(
    {
      series: string('usd/inflation, eur/usd, or the words of a series: cot eur'),
      row: string('the date of the row, or its name'),
      ...WINDOW_ARGUMENTS,
    },
    ['series', 'row'],
  ),
  output: outputOf(
    rowsIn(object({ series: string(), request: string(), how: string(), text: string('the row itself') })),
  ),
  unjudged: 'it tells of what the mirror holds',
  ask: ({ texts }) => ({
    kind: 'command',
    path: ['why'],
    words: [...(texts.series ?? '').trim().split(/\s+/), texts.row ?? ''],
    options: {},
  }),
};

const SQL: Tool = {
  name: 'sql',
  title: 'Query',
  description:
    "One SELECT over the views of the mirror file, which is only read, for at most 30 seconds and 10000 rows. `select name from sqlite_schema where type = 'view'` lists the views.",
  input: inputOf(
    {
      query: string('one SELECT of SQLite, such as: select date, val from v_fx where base = :base'),
      bind: mapOf(string(), 'values of the parameters of the query, by name'),
      ...WINDOW_ARGUMENTS,
    },
    ['query'],
  ),
  output: outputOf(rowsIn({ type: 'object', ...open })),
  unjudged: 'a query reads what the mirror holds, holes included',
  ask: ({ texts, objects }) => ({
    kind: 'command',
    path: ['sql'],
    words: [texts.query ?? ''],
    options: {
      limit: MOST_FOUND.sql,
      bind: Object.entries(objects.bind ?? {}).map(([name, value]) => `${name}=${value}`),
    },
  }),
};

function seriesTool(): Tool {
  const endpoints = readableEndpoints();
  const ids = endpoints.map(({ id }) => id);
  const schema: JsonSchema = { ...string('which kind of series'), enum: ids, default: 'announcements' };
  return {
    name: 'series',
    title: 'Rows of a series',
    description:
      'Rows of any series: the history of an indicator, curves, positions of traders, commodities, forecasts and more. The resource macro://endpoints lists the arguments of each endpoint.',
    input: inputOf(
      {
        endpoint: schema,
        arguments: mapOf(
          string(),
          'arguments of the endpoint by name; of announcements: currency, indicator, start_date, end_date, revisions',
        ),
        ...PAST_ARGUMENTS,
        ...WINDOW_ARGUMENTS,
      },
      [],
    ),
    output: outputOf({ type: 'object', description: 'the answer of the endpoint, as the contract has it' }),
    ask({ texts: { endpoint: id = 'announcements', ...past }, objects }, window, version) {
      const endpoint = endpoints.find((one) => one.id === id);
      if (endpoint) return askEndpoint(endpoint, { ...past, ...objects.arguments }, { window, version });
      throw new MacroError('usage', `'${id.slice(0, 60)}' is no endpoint of series.`, {
        code: 'bad_arguments',
        hint: `Legal values of endpoint: ${ids.join(', ')}.`,
      });
    },
  };
}

function endpointCalled(id: string): Endpoint {
  const endpoint = INTERFACE.find((one) => one.id === id);
  if (!endpoint) throw new Error(`No endpoint is called ${id}`);
  return endpoint;
}
