import type { Endpoint } from '../../contract/endpoint.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import { MacroError } from '../../errors.ts';
import type { Answer, WalkOptions } from '../api/methods.ts';
import { classed, classedItems } from '../errors.ts';
import { type GivenArguments, type ReadQuestion, readArguments } from './read-arguments.ts';

/** One page and the rows in it. */
export interface PageAnswer extends Answer<unknown> {
  readonly rows: readonly unknown[];
}

/** Who answers: a service or a mirror. */
export interface Answerer<Options> {
  /** Milliseconds. */
  now(): number;
  /** The moment of the past that the options put a question at. */
  asOf?(options: Options | undefined): AsOf | undefined;
  ask(endpoint: Endpoint, question: ReadQuestion, options: Options | undefined): Promise<Answer<unknown>>;
  pages(endpoint: Endpoint, question: ReadQuestion, options: Options | undefined): AsyncIterable<PageAnswer>;
}

/** The name of an endpoint's method: `fx_sources` is `fxSources`. */
export function methodName(id: string): string {
  return id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * A method that asks an endpoint, with `pages` and `rows` where it has pages.
 * @throws MacroError of kind `incomplete`.
 */
export function makeMethod<Options>(endpoint: Endpoint, answerer: Answerer<Options>): object {
  const read = (given: GivenArguments = {}, options?: Options) =>
    readArguments(endpoint, given, { now: answerer.now(), asOf: answerer.asOf?.(options) });
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
  return new MacroError('incomplete', `The answer of ${id} is partial: a mirror does not hold all of its rows.`, {
    code: 'mirror_incomplete',
    hint: 'Sync the series that extra.mirror names, or take what is there with { allowPartial: true }.',
    extra: { mirror },
  });
}
