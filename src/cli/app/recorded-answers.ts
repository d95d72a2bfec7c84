// `--record DIR` and `--replay DIR`: answers of the service, kept without keys and secrets, and given again without it.
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { scrubText } from '../../client/http/scrub.ts';
import { isJsonObject, parseObject, toJsonText } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { FetchInit, Platform } from '../../platform/platform.ts';
import { headerList, redactBody, secretsOf } from './trace.ts';

/** One answer as it is kept. */
interface KeptAnswer {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** Headers that speak of the bytes of one transport. */
const OF_TRANSPORT = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

/** The platform whose answers are kept in a folder, a file for each question. Streams are not kept. */
export function recordAnswers(platform: Platform, folder: string): Platform {
  const path = resolve(platform.cwd, folder);
  const kept = new Map<string, readonly KeptAnswer[]>();
  platform.files.makeFolder(path, 0o700);
  const fetch: Platform['fetch'] = async (url, init) => {
    const headers = new Headers(init.headers);
    // An answer that only confirms what was held is of no use to others.
    headers.delete('if-none-match');
    const response = await platform.fetch(url, { ...init, headers });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const question = questionOf(url, init);
    const body = redactBody(await response.clone().text());
    const recordedHeaders = headerList(response.headers).filter(({ name }) => !OF_TRANSPORT.has(name));
    const answers = [...(kept.get(question) ?? []), { status: response.status, headers: recordedHeaders, body }];
    kept.set(question, answers);
    const text = secretsOf(init).reduce(scrubText, toJsonText({ question, answers }));
    platform.files.write(join(path, fileOf(question)), `${text}\n`, 0o600);
    return response;
  };
  return { ...platform, fetch };
}

/**
 * The platform that gives what was kept, in its order, and asks nobody. The last answer to a question is given again.
 * @throws MacroError of kind `notFound`.
 */
export function replayAnswers(platform: Platform, folder: string): Platform {
  const path = resolve(platform.cwd, folder);
  const given = new Map<string, number>();
  const fetch: Platform['fetch'] = async (url, init) => {
    const question = questionOf(url, init);
    const file = join(path, fileOf(question));
    const answers = platform.files.exists(file) ? answersIn(platform.files.readText(file)) : [];
    const number = given.get(question) ?? 0;
    given.set(question, number + 1);
    const answer = answers[Math.min(number, answers.length - 1)];
    if (!answer) throw notRecorded(question, folder);
    const headers = answer.headers.map(({ name, value }): [string, string] => [name, value]);
    const isBare = answer.status === 204 || answer.status === 304;
    return new Response(isBare ? null : answer.body, { status: answer.status, headers });
  };
  return { ...platform, fetch };
}

/** What makes two requests the same: never the host, and never a key, but whether there was one. */
function questionOf(url: string, init: FetchInit): string {
  const { pathname, searchParams } = new URL(url);
  const headers = new Headers(init.headers);
  const hasKey = headers.has('x-api-key') || headers.has('authorization') || searchParams.has('api_key');
  searchParams.delete('api_key');
  searchParams.sort();
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  const body = typeof init.body === 'string' ? ` ${redactBody(init.body)}` : '';
  return `${init.method ?? 'GET'} ${pathname}${query} ${hasKey ? 'with' : 'without'} a key${body}`;
}

const fileOf = (question: string) => `${hash('sha256', question).slice(0, 24)}.json`;

function answersIn(text: string): readonly KeptAnswer[] {
  const { answers } = parseObject(text);
  // The file is ours: record wrote it.
  return Array.isArray(answers) && answers.every(isJsonObject) ? (answers as unknown as KeptAnswer[]) : [];
}

function notRecorded(question: string, folder: string): MacroError {
  return new MacroError('notFound', `No answer was recorded for ${question}.`, {
    code: 'not_recorded',
    hint: `Run the command with --record ${folder} first.`,
  });
}
