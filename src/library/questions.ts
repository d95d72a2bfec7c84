import type { Endpoint } from '../contract/endpoint.ts';
import type { Param } from '../contract/params/param.ts';
import type { Args } from '../contract/params/params.ts';
import { readParamsAt, takesMoment } from '../contract/params/read-params.ts';
import type { AsOf } from '../contract/time/moments.ts';
import { MacroError } from '../errors.ts';
import type { Answer, WalkOptions } from './api/methods.ts';
import { classed, classedItems } from './errors.ts';
import { refuseUnknownOptions } from './given.ts';

export interface PageAnswer extends Answer<unknown> {
  readonly rows: readonly unknown[];
}

/** Who answers: a service or a mirror. */
export interface Answerer<Options> {
  /** Milliseconds. */
  now(): number;
  /** Names of the options of a question. */
  readonly options: readonly string[];
  /** The moment of the past that the options put a question at. */
  asOf?(options: Options | undefined): AsOf | undefined;
  ask(endpoint: Endpoint, question: ReadQuestion, options: Options | undefined): Promise<Answer<unknown>>;
  pages(endpoint: Endpoint, question: ReadQuestion, options: Options | undefined): AsyncIterable<PageAnswer>;
}

/** Arguments as a program gives them, by the names of the interface. */
export type GivenArguments = Readonly<Record<string, unknown>>;

interface ReadQuestion {
  /** All arguments, those with defaults included. */
  readonly args: Args;
  /**
   * The given arguments: the service fills in the rest by its own clock. Posted arguments stand in a body, complete.
   */
  readonly sent: Args;
  /** The moment that a mirror is read at; undefined for now. */
  readonly asOf: AsOf | undefined;
  /** Sentences about words that our tables do not know. */
  readonly notes: readonly string[];
}

interface QuestionTime {
  /** Milliseconds. */
  readonly now: number;
  /** The moment of the past that it is put at. */
  readonly asOf?: AsOf | undefined;
}

/** The name of an endpoint's method: `fx_sources` is `fxSources`. */
export function methodName(id: string): string {
  return id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A method for an endpoint, with `pages` and `rows` if paged. @throws MacroError of kind `incomplete`. */
export function makeMethod<Options>(endpoint: Endpoint, answerer: Answerer<Options>): object {
  const read = (given: GivenArguments = {}, options?: Options) => {
    refuseUnknownOptions(options ?? {}, answerer.options);
    return readArguments(endpoint, given, { now: answerer.now(), asOf: answerer.asOf?.(options) });
  };
  const method = (given?: GivenArguments, options?: Options) =>
    classed(async () => {
      const question = read(given, options);
      const answer = await answerer.ask(endpoint, question, options);
      return { ...answer, notes: [...question.notes, ...answer.notes] };
    });
  if (endpoint.paging.kind === 'none') return method;
  const walk = (given?: GivenArguments, options?: Options) => answerer.pages(endpoint, read(given, options), options);
  async function* answers(given?: GivenArguments, options?: Options): AsyncGenerator<Answer<unknown>> {
    for await (const { rows: _, ...answer } of walk(given, options)) yield answer;
  }
  async function* rows(given?: GivenArguments, options?: Options & WalkOptions): AsyncGenerator<unknown> {
    for await (const page of walk(given, options)) {
      if (page.mirror && !options?.allowPartial) throw partialRows(endpoint, page.mirror);
      yield* page.rows;
    }
  }
  return Object.assign(method, {
    pages: (given?: GivenArguments, options?: Options) => classedItems(() => answers(given, options)),
    rows: (given?: GivenArguments, options?: Options & WalkOptions) => classedItems(() => rows(given, options)),
  });
}

/** Rows alone cannot say that others are missing. */
function partialRows({ id }: Endpoint, mirror: NonNullable<Answer<unknown>['mirror']>): MacroError {
  return new MacroError('incomplete', `The answer of ${id} is partial: rows are missing in the mirror.`, {
    code: 'mirror_incomplete',
    hint: 'Sync the series that extra.mirror names, or read the stored rows with { allowPartial: true }.',
    extra: { mirror },
  });
}

/**
 * Reads arguments by the rules of a URL; unknown words are left to whoever answers.
 * @throws MacroError of kind `usage`.
 */
export function readArguments(endpoint: Endpoint, given: GivenArguments, time: QuestionTime): ReadQuestion {
  const { at, query } = endpoint;
  const strange = Object.keys(given).filter((name) => !Object.hasOwn(at, name) && !Object.hasOwn(query, name));
  if (strange.length > 0)
    throw new MacroError('usage', `${endpoint.id} has no argument ${strange.join(', ')}.`, {
      hint: `Legal arguments: ${[...Object.keys(at), ...Object.keys(query)].join(', ') || 'none'}.`,
    });
  if (time.asOf && takesMoment(endpoint)) refuseSecondMoment(given);
  const rawOf = (params: Readonly<Record<string, Param>>) =>
    Object.fromEntries(
      Object.entries(params).flatMap(([name, param]) => {
        const value = given[name];
        return value === undefined || value === null ? [] : [[name, textOf(value, param)]];
      }),
    );
  const raw = { path: rawOf(at), query: rawOf(query) };
  const { args, notes, asOf } = readParamsAt(endpoint, raw, { mode: 'liberal', asOf: undefined, ...time });
  // A page number was turned into an offset, which counts in pages of this limit.
  const pages = raw.query.page === undefined ? [] : ['limit', 'offset'];
  const named = new Set([...Object.keys(raw.path), ...Object.keys(raw.query), ...pages]);
  const sent = Object.fromEntries(Object.entries(args).filter(([name]) => named.has(name)));
  return { args, sent: endpoint.post ? args : sent, asOf, notes };
}

/** The options of a call say the same as these arguments, and the answer can be that of one moment only. */
function refuseSecondMoment(given: GivenArguments): void {
  const doubled = ['as_of', 'availability'].filter((name) => given[name] !== undefined && given[name] !== null);
  if (doubled.length === 0) return;
  throw new MacroError('usage', `The option asOf gives the moment, and so does the argument ${doubled.join(', ')}.`, {
    hint: 'Give the options asOf and by, or the arguments as_of and availability.',
  });
}

function textOf(value: unknown, param: Param): string {
  if (Array.isArray(value)) return value.map((one) => textOf(one, param)).join(',');
  if (!(value instanceof Date)) return String(value);
  return param.kind === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
}
