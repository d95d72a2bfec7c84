// The server of the protocol: tools and resources, each request answered by itself.

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { isOffline } from '../contract/capabilities.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { date, type JsonSchema, mapOf, nullable, object, open, string } from '../contract/json/schema.ts';
import latest from '../endpoints/announcements/latest.ts';
import announcements from '../endpoints/announcements/series.ts';
import calendar from '../endpoints/calendar/calendar.ts';
import catalogue from '../endpoints/catalogue/catalogue.ts';
import forex from '../endpoints/fx/forex.ts';
import { INTERFACE } from '../endpoints/index.ts';
import { MacroError } from '../errors.ts';
import { callTool, type ToolAnswer } from './call-tool.ts';
import {
  type AskProgram,
  argumentSchemas,
  askEndpoint,
  endpointTool,
  inputOf,
  outputOf,
  PAST_ARGUMENTS,
  type PackageDocument,
  rowsIn,
  type Tool,
  WINDOW_ARGUMENTS,
} from './tool.ts';

/** The needs of a server. */
export interface McpParts {
  readonly version: string;
  readonly ask: AskProgram;
  readonly documents: readonly PackageDocument[];
}

const INSTRUCTIONS = [
  'Macroeconomic data from a local mirror. Begin with search.',
  'Each result says in mirror.complete whether the mirror covers the question; pass a false on to the reader.',
  'Numbers with synthetic = true are made up.',
  'as_of answers as it was known at a moment of the past.',
].join(' ');

type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
};

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const JSON_TYPE = 'application/json';

const ENDPOINTS = 'macro://endpoints';

const STORED = 'macro://stored';

const CATALOGUE = 'macro://catalogue/';

const DOCS = 'macro://docs/';

const CATALOGUE_TEMPLATE = {
  uriTemplate: `${CATALOGUE}{currency}`,
  name: 'catalogue',
  description: 'Indicators of a currency, from the stored catalogue.',
  mimeType: JSON_TYPE,
} as const;

/** Rows that a query or a search may find at most, over all of its results. */
const MOST_FOUND = { compare: '10000', search: '1000', sql: '10000' } as const;

/** Makes a server of one connection, or of one request over HTTP. */
export function createMcpServer({ version, ask, documents }: McpParts): Server {
  const tools = listTools();
  const server = new Server(
    { name: 'macro', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, title, description, input, output }) => ({
      ...{ name, title, description },
      inputSchema: { ...input, type: 'object' as const },
      outputSchema: { ...output, type: 'object' as const },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const legal = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool '${params.name.slice(0, 60)}'. Tools: ${legal}.`,
      );
    }
    try {
      return toolResult(await callTool(tool, params.arguments, ask, mcpReq.signal));
    } catch (error) {
      return toolError(error);
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...listResources(documents)] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [CATALOGUE_TEMPLATE] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const found = await readResource(uri, { ask, documents, signal: mcpReq.signal }).catch((error: unknown) => {
      if (!(error instanceof MacroError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.code ?? error.kind}: ${error.message}`);
    });
    if (!found) throw new ResourceNotFoundError(uri.slice(0, 200));
    return { contents: [{ uri, ...found }] };
  });
  return server;
}

/** Warnings come first; then the data as text, for clients that read no structured content. */
function toolResult(answer: ToolAnswer): ToolResult {
  const structuredContent = { ...answer };
  return {
    content: [text(sentencesOf(answer).join('\n')), text(JSON.stringify(structuredContent))],
    structuredContent,
  };
}

/** A refusal. A bug of ours is one, too: the connection goes on. */
function toolError(error: unknown): ToolResult {
  const report = reportOf(error);
  const sentence = `${report.code}: ${report.message}${report.hint === null ? '' : ` ${report.hint}`}`;
  return { content: [text(sentence)], structuredContent: { error: report }, isError: true };
}

function reportOf(error: unknown): { code: string; kind: string; message: string; hint: string | null } {
  if (!(error instanceof MacroError)) {
    const message = `This is a bug of macro: ${error instanceof Error ? error.message : String(error)}`;
    return { code: 'internal_error', kind: 'internal', message, hint: null };
  }
  const kind = typeof error.extra.kind === 'string' ? error.extra.kind : error.kind;
  return { code: error.code ?? kind, kind, message: error.message, hint: error.hint ?? null };
}

function sentencesOf({ mirror, synthetic, page, notes }: ToolAnswer): readonly string[] {
  const { offset, rows, total, next_cursor: next } = page;
  const messageOf = (code: string) => notes.find((note) => note.code === code)?.message;
  return [
    ...(synthetic ? ['SYNTHETIC: these data are made up. Do not take them for real.'] : []),
    ...(mirror.complete === false
      ? [`PARTIAL: ${messageOf('mirror_incomplete') ?? 'rows are missing in the mirror.'}`]
      : []),
    ...(mirror.complete === true ? ['Complete: the mirror covers everything that this answer needs.'] : []),
    ...(mirror.complete === null ? [`Completeness is not judged: ${String(mirror.reason)}.`] : []),
    `Rows ${rows === 0 ? 'none' : `${offset + 1} to ${offset + rows}`}${total === null ? '' : ` of ${total}`}.`,
    ...(messageOf('more_rows') === undefined ? [] : [`The answer itself was cut: ${messageOf('more_rows')}`]),
    ...(next === null
      ? []
      : ['There are more rows: call again with the same arguments and cursor = page.next_cursor.']),
  ];
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}

function listResources(documents: readonly PackageDocument[]): readonly ListedResource[] {
  return [
    {
      uri: ENDPOINTS,
      name: 'endpoints',
      description: 'Endpoints of the tool series, and their arguments.',
      mimeType: JSON_TYPE,
    },
    { uri: STORED, name: 'stored', description: 'The series in the mirror.', mimeType: JSON_TYPE },
    ...documents.map(({ name }) => ({
      uri: `${DOCS}${name}`,
      name,
      description: `Document of the program: ${name.replace(/\.md$/, '').replaceAll('-', ' ')}.`,
      mimeType: 'text/markdown',
    })),
  ];
}

/** The text of a resource; undefined where there is none of this address. */
async function readResource(
  uri: string,
  {
    ask,
    documents,
    signal,
  }: { readonly ask: AskProgram; readonly documents: readonly PackageDocument[]; readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly mimeType: string } | undefined> {
  const json = (text: string) => ({ text, mimeType: JSON_TYPE });
  if (uri === ENDPOINTS) return json(JSON.stringify(readableEndpoints().map(describe)));
  const document = documents.find(({ name }) => uri === `${DOCS}${name}`);
  if (document) return { text: document.read(), mimeType: 'text/markdown' };
  if (uri === STORED)
    return json(await textOf(ask({ kind: 'command', path: ['mirror', 'status'], words: [], options: {} }, signal)));
  const currency = uri.startsWith(CATALOGUE) ? uri.slice(CATALOGUE.length) : '';
  if (!/^[A-Za-z]{3}$/.test(currency)) return undefined;
  return json(await textOf(ask({ kind: 'endpoint', endpoint: catalogue, args: { currency } }, signal)));
}

function describe(endpoint: ReturnType<typeof readableEndpoints>[number]) {
  const { id, doc, at, query } = endpoint;
  const required = Object.entries({ ...at, ...query }).flatMap(([name, param]) => (param.required ? [name] : []));
  return { endpoint: id, about: doc.summary, arguments: argumentSchemas(endpoint), required, example: doc.example };
}

async function textOf(asking: ReturnType<AskProgram>): Promise<string> {
  const { body, messages } = await asking;
  const refusal = messages.find(({ level }) => level === 'error');
  if (!refusal) return body;
  const { code, message, hint } = refusal;
  throw new MacroError('usage', hint ? `${message} ${hint}` : message, code === null ? {} : { code });
}

/** Endpoints that `series` reads: those with a command whose rows are read whole or by offset. */
function readableEndpoints(): readonly Endpoint[] {
  return INTERFACE.filter(
    (endpoint) => endpoint.cli && isOffline(endpoint) && ['none', 'offset'].includes(endpoint.paging.kind),
  );
}

function listTools(): readonly Tool[] {
  return [
    SEARCH,
    endpointTool(latest, {
      name: 'latest',
      title: 'Newest values',
      description:
        'The newest value of every indicator of a currency, the value before it, and when each was released.',
    }),
    seriesTool(),
    endpointTool(calendar, {
      name: 'calendar',
      title: 'Calendar of releases',
      description: 'Releases that are coming for a currency, with their times in UTC and of the place.',
    }),
    endpointTool(forex, {
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
  input: inputOf({ query: string('words to find, such as: usd cpi'), ...WINDOW_ARGUMENTS }, ['query']),
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
  unjudged: 'a search reads built-in tables and the stored catalogues',
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
  unjudged: 'it describes stored rows only',
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
    "One SELECT over the views of the mirror file, which is only read, for at most 30 seconds, 10000 rows and 8 MB. `select name from sqlite_schema where type = 'view'` lists the views.",
  input: inputOf(
    {
      query: string('one SELECT of SQLite, such as: select date, val from v_fx where base = :base'),
      bind: mapOf(string(), 'values of the parameters of the query, by name'),
      ...WINDOW_ARGUMENTS,
    },
    ['query'],
  ),
  output: outputOf(rowsIn({ type: 'object', ...open })),
  unjudged: 'a query reads stored rows and cannot tell which are missing',
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
  const schema: JsonSchema = { ...string('which kind of series'), enum: ids, default: announcements.id };
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
    ask({ texts: { endpoint: id = announcements.id, ...past }, objects }, window, version) {
      const endpoint = endpoints.find((one) => one.id === id);
      if (endpoint) return askEndpoint(endpoint, { ...past, ...objects.arguments }, { window, version });
      throw new MacroError('usage', `'${id.slice(0, 60)}' is no endpoint of series.`, {
        code: 'bad_arguments',
        hint: `Legal values of endpoint: ${ids.join(', ')}.`,
      });
    },
  };
}
