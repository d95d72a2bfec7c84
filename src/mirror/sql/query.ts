import { fork } from 'node:child_process';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { mirrorFailure } from '../sqlite/failures.ts';
import { queryProcess } from './query-process.ts';

export type QueryValue = string | number | bigint | Uint8Array | null;

export interface QueryRequest {
  /** The mirror file. */
  readonly path: string;
  readonly sql: string;
  /** Values of the query's parameters (`:name`), by name. */
  readonly binds: Readonly<Record<string, string | number | bigint>>;
  /** Rows at most. */
  readonly limit: number;
  /** Bytes of the values of all rows at most. */
  readonly maxBytes: number;
  /** Every view that a mirror may have, and its table: both are made with the first rows of their kind. */
  readonly views: ReadonlyMap<string, string>;
}

export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** There are more rows, and the limit or the bytes are used up. */
  readonly cut: 'rows' | 'bytes' | undefined;
}

/** The messages of the process of a query: rows, then columns, or a failure. */
export type QueryMessage =
  | { readonly rows: readonly (readonly QueryValue[])[] }
  | { readonly columns: readonly string[]; readonly cut: QueryAnswer['cut'] }
  | { readonly failed: FailedQuery };

export type FailedQuery =
  | { readonly kind: 'not reading' | 'bad query' | 'large row'; readonly message: string }
  | { readonly kind: 'sqlite'; readonly message: string; readonly code: string; readonly names: readonly string[] };

/**
 * Runs one query over the mirror file in its own process, which ends when `signal` aborts. Neither its own process nor
 * a thread can stop a statement inside SQLite.
 */
export function queryMirror(request: QueryRequest, signal: AbortSignal): Promise<QueryAnswer> {
  const { module, words } = queryProcess();
  const child = fork(module, words, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: {},
  });
  const rows: (readonly QueryValue[])[] = [];
  return new Promise<QueryAnswer>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    child.on('message', (sent) => {
      const message = sent as QueryMessage; // of our own child
      if ('rows' in message) rows.push(...message.rows);
      else if ('failed' in message) reject(explain(request, message.failed));
      else resolve({ ...message, rows });
    });
    child.on('error', reject);
    child.on('exit', (_, by) => reject(by === 'SIGKILL' ? tooLarge() : ended()));
    if (signal.aborted) stop();
    else child.send(request);
  }).finally(() => child.kill('SIGKILL'));
}

/** It ends itself when it has taken too much memory, and so does a system that has none left. */
function tooLarge(): MacroError {
  return new MacroError('incomplete', 'The query needed more than 512 MB of memory and was ended.', {
    code: 'query_too_large',
    hint: 'Ask for less at once: fewer rows, shorter values.',
  });
}

function ended(): MacroError {
  return new MacroError('mirror', 'The query ended before it was answered.', {
    code: 'query_ended',
    hint: 'Run it again; macro doctor checks for likely causes.',
  });
}

function explain({ path, views, maxBytes }: QueryRequest, failed: FailedQuery): unknown {
  if (failed.kind === 'large row')
    return new MacroError('incomplete', `The first row of the query has more than ${maxBytes} bytes.`, {
      code: 'query_too_large',
      hint: 'Select fewer or shorter values. On the command line, --max-bytes allows more.',
    });
  if (failed.kind === 'not reading')
    return new MacroError('usage', 'A query only reads, and this statement does something else.', {
      code: 'not_reading',
      hint: 'Give one SELECT. Nothing was run.',
    });
  if (failed.kind === 'sqlite' && failed.code === 'SQLITE_TOOBIG')
    return new MacroError('incomplete', 'The query makes a value of more than 2 GB, which SQLite cannot have.', {
      code: 'query_too_large',
      hint: 'Select shorter values.',
    });
  // If SQLite does not know a name, a person has typed it.
  if (failed.kind === 'sqlite' && failed.code !== 'SQLITE_ERROR') {
    const error = Object.assign(new Error(failed.message), { code: failed.code });
    const known = mirrorFailure(path, error);
    if (known !== error) return known;
  }
  const empty = failed.kind === 'sqlite' ? emptyView(failed, views) : undefined;
  if (empty !== undefined)
    return new MacroError('notFound', `The mirror has no rows of the view ${empty} yet.`, {
      code: 'not_mirrored',
      hint: 'It is made with the first rows: by a sync, a stored answer or an import.',
    });
  return new MacroError('usage', `The query cannot be run: ${failed.message}.`, {
    code: 'bad_query',
    hint: hintOf(failed, [...views.keys()]),
  });
}

function hintOf(failed: FailedQuery, views: readonly string[]): string {
  if (/^missing named parameter/i.test(failed.message))
    return 'Give each :name of the query a value: --bind name=value.';
  return `${failed.kind === 'sqlite' ? guess(failed, views) : ''}macro sql --views lists the views and their columns.`;
}

/** The view that the query asks for and that the mirror has no rows of. */
function emptyView(
  { message, names }: { message: string; names: readonly string[] },
  views: QueryRequest['views'],
): string | undefined {
  const unknown = /^no such table: (?:main\.)?(\w+)$/.exec(message)?.[1]?.toLowerCase();
  const table = unknown === undefined ? undefined : views.get(unknown);
  return table === undefined || names.includes(table) ? undefined : unknown;
}

/** The view or column nearest to the name that SQLite does not know. */
function guess({ message, names }: { message: string; names: readonly string[] }, views: readonly string[]): string {
  const [, kind, unknown] = /^no such (table|column): (?:\w+\.)?(\w+)/.exec(message) ?? [];
  const close = unknown === undefined ? undefined : nearest(unknown, kind === 'table' ? views : names);
  // A known name was asked of another view, or under another name of its view.
  return close === undefined || close.toLowerCase() === unknown?.toLowerCase() ? '' : `Did you mean ${close}? `;
}
