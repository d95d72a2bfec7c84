import type { PartialMark, SourceRange, WholeMark } from '../contract/answer-members.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Caller } from '../contract/hooks.ts';
import type { RowTexts } from '../contract/json/body.ts';
import type { JsonText } from '../contract/json/json.ts';
import type { Args } from '../contract/params/param.ts';
import type { AsOf } from '../contract/time/moments.ts';
import type { PartialAnswer } from '../coverage/partial-answer.ts';

/** One question to a source: an endpoint and its resolved arguments. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly args: Args;
  /** Names that stood in the query; when left out, those whose values differ from their defaults. */
  readonly given?: ReadonlySet<string>;
  /** Query parameters that the contract does not know, sent as they are; such an answer is never stored. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The question that an alias stands for; any other question is itself. */
export function resolveAlias(question: Question): Question {
  const { sameAs } = question.endpoint;
  if (!sameAs) return question;
  return { ...question, endpoint: sameAs.endpoint, args: { ...question.args, ...sameAs.args } };
}

export interface AskContext {
  readonly caller: Caller;
  /** Milliseconds. */
  readonly now: number;
  /** The real present in milliseconds, where `now` is the moment of a replay; `now` when left out. */
  readonly presentAt?: number;
  /** The moment that the question is put at; now when left out. Only the mirror can answer such a question. */
  readonly asOf?: AsOf | undefined;
  /** One source alone is to answer, by its name: see `isOrigin`. Only the mirror can answer such a question. */
  readonly origin?: string | undefined;
  /** The owner who asks has a key, so that dates outside of the keyless rules count as missing. */
  readonly hasKey?: boolean;
  readonly ifNoneMatch?: string;
  /** Whoever asks does so once: no validator is worked out. */
  readonly once?: boolean;
  /** Only rows are shown: no version of the data is worked out. */
  readonly rowsOnly?: boolean;
  /** Values of files keep the digits that were published, for whoever writes no JSON. */
  readonly asPublished?: boolean;
  /** The reply may have `parts`, for whoever hands rows on as they come. */
  readonly inParts?: boolean;
  readonly signal?: AbortSignal;
}

/** `hit` by the mirror, `miss` by the service, `collapsed` with an equal request, `stale` without confirmation. */
export type CacheOutcome =
  | { readonly is: 'hit' | 'miss' | 'collapsed' }
  /** `why` is one sentence. */
  | { readonly is: 'stale'; readonly why: string };

/** A body before it is put together, for whoever hands its rows on as they come. */
export interface BodyParts {
  /** The members beside the rows. */
  readonly envelope: JsonText;
  readonly rows: RowTexts;
  /** Names of the rows, in a map of them. */
  readonly names?: readonly string[];
  /** The missing parts of a partial answer, or the sources of a complete one. */
  readonly mark?: PartialMark | WholeMark;
}

/** An answer. Anything but 200 and 304 is thrown as a MacroError. */
export interface Reply {
  readonly status: 200 | 304;
  /** The body, exactly as sent or as spliced; empty for 304. Parsed only by whoever needs values. */
  readonly body: JsonText;
  /** The same before it is put together, of one state; `body` is then a getter. */
  readonly parts?: BodyParts;
  readonly etag?: string;
  readonly from: 'live' | 'mirror';
  /** When the origin last confirmed what the answer rests on, in milliseconds. */
  readonly asOf: number;
  /** The moment of the past that the answer is of. */
  readonly past?: AsOf;
  readonly synthetic: boolean;
  /** Set if rows that the answer needs are missing: the body says so too, and there is no validator. */
  readonly partial?: PartialAnswer;
  /** How a cache came by it; only a cache says so. */
  readonly cached?: CacheOutcome;
  /** Whose rows these are, by date, where the mirror answered from rows as they are stored. */
  readonly sources?: readonly SourceRange[];
  /** Sentences for a person, printed to stderr. */
  readonly notes: readonly string[];
}

/** The centre of the program: the service and the mirror answer the same questions in the same way. */
export interface Source {
  ask(question: Question, context: AskContext): Promise<Reply>;
}
