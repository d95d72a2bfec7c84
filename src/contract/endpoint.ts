import { MacroError } from '../errors.ts';
import type { Access } from './access.ts';
import type { AnyCompose, Derive, Envelope, Local, ServiceLabels } from './hooks.ts';
import type { BodyShape } from './json/body.ts';
import { type JsonObject, objectIn } from './json/json.ts';
import { type JsonSchema, object } from './json/schema.ts';
import type { Mapping } from './mapping.ts';
import { PAGING_NAMES, type Paging, pagingParams, unpaged } from './paging.ts';
import { type Check, knownByNow, type RawArgs } from './params/param.ts';
import {
  type Args,
  type ArgsOf,
  dateParam,
  daysAgo,
  optional,
  type Param,
  type Params,
  textParam,
} from './params/params.ts';
import type { PostRead } from './params/post.ts';

/** The common part of all endpoints of a group. */
interface GroupFacts {
  /** Its subject, for people. */
  readonly about: string;
  /** The plan `basic` has only its public part; see docs/interface-access.md#keys. */
  readonly isBeyondBasic?: true;
  /** Its requests cost no quota. */
  readonly isUncounted?: true;
}

/** The groups of the specification, in its order; also the tags of the OpenAPI document. */
const GROUP_TABLE = {
  health: { about: 'Whether the service is there.', isUncounted: true },
  'data catalogue': { about: 'Indicators of a currency, and since when they exist.' },
  announcements: { about: 'Macroeconomic indicators, each value with the time of its official release.' },
  predictions: { about: 'Forecasts of releases, and who makes them.', isBeyondBasic: true },
  calendar: { about: 'When releases are due, and what earlier schedules said.' },
  'release-event delivery': {
    about: 'Releases as they are processed: server-sent events and signed webhooks.',
    isBeyondBasic: true,
  },
  factors: { about: 'Precomputed scores of a currency.' },
  'fx reference rates': { about: 'Official daily and timed reference rates of currency pairs. No market prices.' },
  'curves and rate differentials': {
    about: 'Government bond curves, and the spread of two currencies on a shared rate.',
  },
  'market sessions and risk sentiment': {
    about: 'Trading hours of the four sessions, and one score of the mood of markets.',
  },
  positioning: { about: 'Weekly futures positions of groups of traders.' },
  commodities: { about: 'Prices and stocks of commodities.' },
  'press releases': { about: 'Publications of central banks.' },
  settlement: { about: 'Signed records of how event contracts settle.', isBeyondBasic: true },
  prices: { about: 'Official observations of bonds, bills, auctions and overnight rates.' },
} as const satisfies Readonly<Record<string, GroupFacts>>;

export type Group = keyof typeof GROUP_TABLE;
export const GROUP_FACTS: Readonly<Record<Group, GroupFacts>> = GROUP_TABLE;
export const GROUPS = Object.keys(GROUP_TABLE) as readonly Group[]; // keys of a literal above

/** The endpoint on the terminal. */
interface CliCommand {
  /** Words after `macro`, before the path arguments, whose number tells endpoints with the same words apart. */
  readonly words: readonly string[];
  /** Row fields of the table for people, in order; the contract's order of CSV columns too. */
  readonly columns: readonly string[];
  /** Those of the columns that a narrow table leaves out, the least important first. All others are never cut. */
  readonly spare?: readonly string[];
  /** Field to draw as a sparkline above the table. */
  readonly spark?: string;
  /** Fields of its chart, or a function of the arguments; by default the sparkline's field over the first column. */
  readonly chart?: ChartFields | ((args: Args) => ChartFields | undefined);
  /** Parameters of a question whose answer is drawn, where a chart needs more than the rows that were asked for. */
  readonly drawn?: (query: RawArgs['query']) => RawArgs['query'];
  /** Row fields that are computed or of one kind, beside `dependent` of the mirror: see `computed` of a listing. */
  readonly computed?: readonly string[];
  /** Member of a row that lists what people want to see line by line: in tables and sheets each item is a line. */
  readonly lines?: string;
  /** Values for parameters that the service requires and a person may omit, derived from the typed ones. */
  readonly fill?: (query: RawArgs['query'], today: string) => RawArgs['query'];
  /** Its rows are a date and one number, as publishers have them: a table of anybody's can be such a series. */
  readonly isPlain?: true;
  /** The forecast of each of its releases can be shown beside its rows. */
  readonly hasForecasts?: true;
  /** Its answers for several dates are compared side by side. */
  readonly comparesDates?: true;
  /** Two examples that work as typed, without the leading `macro`. */
  readonly examples: readonly [string, string];
}

interface Doc {
  readonly summary: string;
  readonly description?: string;
  /** Path arguments of a working example. */
  readonly example: Readonly<Record<string, string>>;
  readonly exampleQuery?: Readonly<Record<string, string>>;
  /** The command that brings files of publishers with such series; left out where nobody offers any. */
  readonly files?: string;
}

/** An argument that an endpoint cannot do without, though its parameter is optional. */
interface Demand {
  readonly param: string;
  readonly code: string;
  readonly detail: string;
  /** The cure at a terminal. */
  readonly hint: string;
}
/** The default fields that a chart of an answer's rows draws. */
export interface ChartFields {
  /** Field of the axis along. */
  readonly at: string;
  /** The unit of that axis; time if left out. */
  readonly along?: 'time' | 'years';
  /** One above the other, the main one first. */
  readonly panels: readonly ChartPanel[];
  /** Named below: requested parts that are not drawn. */
  readonly notDrawn?: readonly string[];
}

export interface ChartPanel {
  readonly name?: string;
  readonly unit?: string;
  readonly values: readonly string[];
  /** Further fields of the same unit, drawn where they are named. */
  readonly alike?: readonly string[];
  /** Their names for people, if the field's name is not enough. */
  readonly names?: Readonly<Record<string, string>>;
  /** Pairs of these, upper and lower, with the room between them filled. */
  readonly bands?: readonly (readonly [upper: string, lower: string])[];
  /** Fields among them that are bars from zero, or dots. */
  readonly bars?: readonly string[];
  readonly dots?: readonly string[];
  /** Fields among them whose value stands until the next one, such as a policy rate. */
  readonly steps?: readonly string[];
  /** Values that are marked across, such as the zero of a score. */
  readonly rules?: readonly number[];
  /** Ends of the axis, where the values have bounds. */
  readonly range?: readonly [number, number];
}
/** A way of asking that still works and has a successor. See docs/interface-access.md#deprecation. */
interface Deprecation {
  /** Unix seconds from which it is deprecated. */
  readonly since: number;
  /** Address of the successor; names in braces are words of the question. */
  readonly successor: string;
  /** Unix seconds at which it ends, once that is dated. */
  readonly sunset?: number;
}

/** The moment from which the interface deprecates what it does: keys in addresses, and two routes. */
export const DEPRECATED_SINCE = 1_790_812_800;

/** The verbs of operations that change something, in the order in which documents list them. */
export const WRITE_VERBS = ['post', 'patch', 'delete'] as const;
export type WriteVerb = (typeof WRITE_VERBS)[number];

/** An operation that changes something at the service. It is never a question: no source answers it, no mirror keeps it. */
export interface Write {
  readonly summary: string;
  /** Shape of the body: the document copies it and bodies are stored to it. Without one, none is sent. */
  readonly body?: JsonSchema;
  readonly status: 200 | 201 | 204;
  /** Shape of the answer; a 204 has none. */
  readonly answer?: JsonSchema;
  /** Done twice it ends as done once, so a lost answer is no reason not to try again. */
  readonly idempotent?: true;
  /** Requests a minute that one caller may make here. */
  readonly budget?: number;
  /** Refusals of its own: status and what it means. */
  readonly refuses?: Readonly<Record<number, string>>;
}

type Writes = Readonly<Partial<Record<WriteVerb, Write>>>;

/** The refusal of a question that leaves out what its endpoint demands; undefined when nothing is missing. */
export function unmetDemand({ demands = [] }: Pick<Endpoint, 'demands'>, args: Args): MacroError | undefined {
  const missing = demands.find(({ param }) => args[param] === undefined);
  if (!missing) return undefined;
  const { code, detail, hint } = missing;
  return new MacroError('usage', detail, { status: 400, code, hint });
}

/** Names between braces of a path template. */
type PathNames<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

interface Definition<Path extends string, At extends Params, Query extends Params> {
  /** Unique word of this endpoint: series, tables and tests name it by this. */
  readonly id: string;
  readonly path: Path;
  readonly group: Group;
  readonly at: At & Readonly<Record<PathNames<Path>, Param>>;
  /** None when left out. */
  readonly query?: Query;
  readonly checks?: readonly Check[];
  readonly access: Access;
  /** One page when left out. */
  readonly paging?: Paging;
  /** Where the rows stand in the body. */
  readonly body: BodyShape;
  /** Shape of one row; of the whole body when there are no rows. */
  readonly row: JsonSchema;
  /** Shape of the members beside the rows. */
  readonly envelope?: JsonSchema;
  /** Members beside the rows, joined by dots, that every answer has by specification or a recorded body. */
  readonly required?: readonly string[];
  /** Member in which an answer as of a moment names that moment; members of members joined by dots. */
  readonly namesMoment?: string;
  /** Seconds that a mirrored answer stays fresh, where that moves by the moment (Unix seconds). */
  readonly fresh: number | ((now: number) => number);
  /** Answers carry `dataset_version`, which pins a walk; a changed history answers 409. */
  readonly versioned?: boolean;
  /** Members beside the rows in which a service tells addresses of its own. */
  readonly addresses?: readonly string[];
  /** Arguments that the answer echoes beside its rows. */
  readonly echo?: readonly string[];
  /** The question may also be posted, and the client does so. */
  readonly post?: PostRead;
  /** Operations of this path that change something. */
  readonly writes?: Writes;
  /** There is no GET of this path. */
  readonly writeOnly?: true;
  /** Answered from what a server keeps for its callers: no source knows it. */
  readonly managed?: true;
  /** Still answered, with a successor that takes its place. */
  readonly deprecated?: Deprecation;
  /** Why the program does not offer this endpoint in one of its ways; without `served` it is known, but no route. */
  readonly without?: Without;
  /** Requests a minute that one caller may make here, beside the budgets that hold everywhere. */
  readonly budget?: number;
  /** Arguments without which the service refuses with a code of its own instead of a finding. */
  readonly demands?: readonly Demand[];
  /** The notice to a caller without a key, beside the refusal. */
  readonly refusal?: EndpointRefusal;
  readonly mirror?: Mapping;
  /** The endpoint, with fixed arguments, whose series answer this one too and store what the service says here. */
  readonly sameAs?: { readonly endpoint: Endpoint; readonly args: Args };
  /** True where an answer follows from when the mirror saw its rows, and in which order, not from the rows alone. */
  readonly tellsHistory?: (args: Args) => boolean;
  readonly cli?: CliCommand;
  /** Separate commands for it, instead of a derived one. */
  readonly commands?: readonly string[];
  readonly doc: Doc;
  /** Decisions of this project beyond the specification. See docs/interface.md#choices-of-this-project. */
  readonly provisional?: string;
  readonly local?: Local<ArgsOf<At> & ArgsOf<Query>>;
  readonly compose?: AnyCompose<ArgsOf<At> & ArgsOf<Query> & PageArgs>;
  readonly derive?: Derive<ArgsOf<At> & ArgsOf<Query> & PageArgs>;
}

type NoParams = Record<never, never>;

/** The paging arguments as hooks see them: `page` is already turned into `offset`. */
export interface PageArgs {
  readonly limit: number;
  readonly offset: number;
}

/** A page of a window, both dates included. */
export interface WindowArgs extends PageArgs {
  readonly start_date: string;
  readonly end_date: string;
}

/** An endpoint as its readers see it: every argument is in `query` and `at`, the paging ones included. */
export interface Endpoint
  extends Omit<Definition<string, Params, Params>, 'query' | 'paging' | 'local' | 'compose' | 'derive'> {
  readonly query: Params;
  readonly paging: Paging;
  readonly local?: Local<Args>;
  readonly compose?: AnyCompose<Args>;
  readonly derive?: Derive<Args>;
}

/** Describes one path, whose names and arguments must match. Types are erased here: readers treat endpoints alike. */
export function defineEndpoint<const Path extends string, At extends Params, Query extends Params = NoParams>(
  definition: Definition<Path, At, Query>,
): Endpoint {
  const { paging = unpaged } = definition;
  const query: Params = {
    ...definition.query,
    ...pagingParams(paging),
    ...(definition.versioned && {
      dataset_version: optional(
        textParam('dataset_version of an earlier answer, 64 hex digits; other data is refused', {
          max: 64,
          pattern: /^[0-9a-f]{64}$/,
        }),
      ),
    }),
  };
  const checks: readonly Check[] = [...new Set([...(definition.checks ?? []), ...(query.as_of ? [knownByNow] : [])])];
  const mirror = definition.mirror && { mirror: { ...definition.mirror, row: definition.row } };
  return { ...definition, query, checks, paging, ...mirror } as unknown as Endpoint; // erases the hooks' argument types
}

/** Seconds that a mirrored answer stays fresh at a moment (milliseconds). */
export function freshFor({ fresh }: Pick<Endpoint, 'fresh'>, now: number): number {
  return typeof fresh === 'number' ? fresh : fresh(Math.floor(now / 1000));
}

/** The window of history routes: `start_date` (default so many days ago) and `end_date` (default today). */
export function dateWindowParams(days = 365) {
  return {
    start_date: daysAgo(dateParam('first date of the window'), days),
    end_date: daysAgo(dateParam('last date of the window'), 0),
  } as const;
}

/** The facets that an endpoint may go without, each with the reason. */
export type Without = Readonly<Partial<Record<'command' | 'live' | 'mirrored' | 'offline' | 'served', string>>>;

/** Members of a refusal beside `detail` and `code`, from a keyless endpoint. See docs/interface-endpoints.md#predictions. */
interface EndpointRefusal {
  /** The question whose answer is public. */
  asks(args: Args): { readonly endpoint: Endpoint; readonly args: Args };
  /** The members, from the body of that answer; it is undefined where nobody could give it. */
  tell(body: JsonObject | undefined, context: { readonly args: Args; readonly labels: ServiceLabels }): Envelope;
}

/** The query parameters of an endpoint for another endpoint with its own paging. */
export function unpagedQuery({ query }: Endpoint): Params {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !PAGING_NAMES.has(name)));
}

/** The declaration of an endpoint with the rows of another endpoint; the caller adds path, paging and commands. */
export function aliasOf(endpoint: Endpoint) {
  const { group, checks = [], access, body, required = [], namesMoment } = endpoint;
  const { row, envelope = {}, fresh, versioned = false } = endpoint;
  const shown = { body, required, ...(namesMoment !== undefined && { namesMoment }), row, envelope };
  const sameAs = { endpoint, args: {} };
  return { group, query: unpagedQuery(endpoint), checks, access, ...shown, fresh, versioned, sameAs };
}

/** The shape of a row with further members in front. */
export function rowWith(fields: Readonly<Record<string, JsonSchema>>, row: JsonSchema): JsonSchema {
  const added = object(fields);
  const members = (schema: JsonSchema) => objectIn(schema.properties);
  const required = [added, row].flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []));
  return { ...row, properties: { ...members(added), ...members(row) }, required };
}

/** The successor of one question; an unknown or missing word is that of the example. */
export function successorFor(
  { successor }: Pick<Deprecation, 'successor'>,
  args: Readonly<Record<string, string | undefined>>,
  example: Readonly<Record<string, string>>,
): string {
  return successor.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = args[name]?.trim() ?? '';
    // An address may contain anything; a header may not.
    return (/^\w{1,80}$/.test(word) ? word : (example[name] ?? '')).toLowerCase();
  });
}

/** The words of a command line for a series: its command, its path words, then further names of its scope. */
export function wordsFor(endpoint: Endpoint | undefined, scope: Readonly<Record<string, unknown>>): readonly string[] {
  if (!endpoint?.cli) return [];
  const lacking = Object.keys(endpoint.at).filter((name) => endpoint.at[name]?.required && scope[name] === undefined);
  // Every indicator of a currency can be brought at once, everything else has to be named.
  if (lacking.some((name) => name !== 'indicator')) return [];
  const path = Object.keys(endpoint.at).flatMap((name) => (scope[name] === undefined ? [] : [String(scope[name])]));
  const others = (endpoint.mirror?.scope ?? []).flatMap((name) => {
    const param = endpoint.query[name];
    const value = scope[name];
    return param && value !== undefined && String(value) !== String(param.fallback?.('')) ? [`${name}=${value}`] : [];
  });
  return [[...endpoint.cli.words, ...path, ...others].join(' ')];
}
