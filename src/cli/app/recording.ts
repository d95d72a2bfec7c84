// Records the exchange of a command with the service, without keys and secrets. `--trace FILE.har` writes an HTTP
// archive (HAR 1.2) that browsers open; `--record DIR` writes answers that `--replay DIR` repeats.
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { scrubText } from '../../client/http/scrub.ts';
import { CLIENT_VERSION } from '../../client/http/version.ts';
import { isJsonObject, parseObject, toJsonText } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { FetchInit, Platform } from '../../platform/platform.ts';
import { type Options, textOption } from '../parse/options.ts';

/** The platform to use instead, and the end of the recording. */
export interface Recording {
  readonly platform: Platform;
  /** Writes the file, readable by its owner only. */
  readonly finish?: () => Promise<void>;
}

/** Headers whose value is never written. */
const SECRET_HEADERS = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const REDACTED = 'redacted';
/** Members of bodies that hold a secret, such as that of a subscription. */
const SECRET_MEMBERS = /("(?:[a-z_]*secret[a-z_]*|api_key)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

interface RecordedAnswer {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** Headers that speak of the bytes of one transport. */
const OF_TRANSPORT = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

type Entry = Readonly<Record<string, unknown>>;

/** The platform of a command that records, replays or traces. @throws MacroError of kind `usage`. */
export function openRecording(options: Options, platform: Platform): Recording {
  const [record, replay, trace] = ['record', 'replay', 'trace'].map((name) => textOption(options, name));
  if (record !== undefined && replay !== undefined)
    throw new MacroError('usage', 'Give --record or --replay, not both.', { code: 'bad_arguments' });
  const replayed = replay === undefined ? platform : replayAnswers(platform, replay);
  const recorded = record === undefined ? replayed : recordAnswers(platform, record);
  return trace === undefined ? { platform: recorded } : openTrace(recorded, trace);
}

/** The platform that stores answers in a folder, a file for each question. Streams are not stored. */
function recordAnswers(platform: Platform, folder: string): Platform {
  const path = resolve(platform.cwd, folder);
  const kept = new Map<string, readonly RecordedAnswer[]>();
  platform.files.makeFolder(path, 0o700);
  const fetch: Platform['fetch'] = async (url, init) => {
    // Files of publishers are in the mirror; as text they would be others.
    if (init.raw) return platform.fetch(url, init);
    const headers = new Headers(init.headers);
    // An answer that only confirms stored rows is of no use to others.
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

/** Gives recorded answers in order, the last one again. @throws MacroError of kind `notFound`. */
function replayAnswers(platform: Platform, folder: string): Platform {
  const path = resolve(platform.cwd, folder);
  const given = new Map<string, number>();
  const fetch: Platform['fetch'] = async (url, init) => {
    const question = questionOf(url, init);
    const file = join(path, fileOf(question));
    const answers = platform.files.exists(file) ? answersIn(platform.files.readText(file)) : [];
    const number = given.get(question) ?? 0;
    given.set(question, number + 1);
    const answer = answers[Math.min(number, answers.length - 1)];
    if (!answer)
      throw new MacroError('notFound', `No answer was recorded for ${question}.`, {
        code: 'not_recorded',
        hint: `Run the command with --record ${folder} first.`,
      });
    const headers = answer.headers.map(({ name, value }): [string, string] => [name, value]);
    const isBare = answer.status === 204 || answer.status === 304;
    return new Response(isBare ? null : answer.body, { status: answer.status, headers });
  };
  return { ...platform, fetch };
}

/** The identity of a request: never the host, and never a key, but whether there was one. */
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

function answersIn(text: string): readonly RecordedAnswer[] {
  const { answers } = parseObject(text);
  // The file is ours: record wrote it.
  return Array.isArray(answers) && answers.every(isJsonObject) ? (answers as unknown as RecordedAnswer[]) : [];
}

function openTrace(platform: Platform, file: string): Recording {
  const entries: Promise<Entry>[] = [];
  const secrets = new Set<string>();
  const fetch: Platform['fetch'] = async (url, init) => {
    for (const secret of secretsOf(init)) secrets.add(secret);
    const begun = platform.clock.now();
    const entry = (response: Promise<Entry>) => {
      const time = () => platform.clock.now() - begun;
      const request = requestOf(url, init);
      entries.push(
        response.then((answer) => ({
          startedDateTime: new Date(begun).toISOString(),
          time: time(),
          request,
          response: answer,
          cache: {},
          timings: { send: 0, wait: time(), receive: 0 },
        })),
      );
    };
    try {
      const response = await platform.fetch(url, init);
      entry(init.raw ? Promise.resolve(headOf(response)) : responseOf(response.clone()));
      return response;
    } catch (error) {
      entry(Promise.resolve({ ...NO_ANSWER, _error: error instanceof Error ? error.message : String(error) }));
      throw error;
    }
  };
  return {
    platform: { ...platform, fetch },
    async finish() {
      const creator = { name: 'macro', version: CLIENT_VERSION };
      const text = JSON.stringify({ log: { version: '1.2', creator, entries: await Promise.all(entries) } }, null, 1);
      const safe = [...secrets].reduce(scrubText, text);
      platform.files.write(resolve(platform.cwd, file), `${safe}\n`, 0o600);
    },
  };
}

function requestOf(url: string, init: FetchInit): Entry {
  const { searchParams } = new URL(url);
  const queryString = [...searchParams].map(([name, value]) => ({
    name,
    value: name === 'api_key' ? REDACTED : value,
  }));
  const body = typeof init.body === 'string' ? redactBody(init.body) : undefined;
  return {
    ...{ method: init.method ?? 'GET', url: url.replace(/([?&]api_key=)[^&#]*/g, `$1${REDACTED}`) },
    ...{ httpVersion: 'HTTP/1.1', headers: headerList(new Headers(init.headers)), queryString, cookies: [] },
    ...{ headersSize: -1, bodySize: -1 },
    ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
  };
}

const NO_ANSWER: Entry = {
  ...{ status: 0, statusText: '', httpVersion: 'HTTP/1.1', headers: [], cookies: [], redirectURL: '' },
  ...{ content: { size: 0, mimeType: '' }, headersSize: -1, bodySize: -1 },
};

function headOf({ status, statusText, headers }: Response): Entry {
  const content = { size: -1, mimeType: headers.get('content-type') ?? '' };
  return { ...NO_ANSWER, status, statusText, headers: headerList(headers), content };
}

/** A stream has no end that could be waited for. */
async function responseOf(response: Response): Promise<Entry> {
  const mimeType = response.headers.get('content-type') ?? '';
  const isStream = mimeType.startsWith('text/event-stream');
  if (isStream) void response.body?.cancel();
  const text = isStream ? '' : await response.text().catch(() => '');
  return {
    ...headOf(response),
    content: { size: text.length, mimeType, text: redactBody(text) },
  };
}

function secretsOf({ headers }: FetchInit): readonly string[] {
  const values = [...new Headers(headers)].flatMap(([name, value]) => (SECRET_HEADERS.has(name) ? [value] : []));
  return values.map((value) => value.replace(/^bearer\s+/i, '')).filter((value) => value !== '');
}

/** Headers without the values of secret ones. */
function headerList(headers: Headers): readonly { readonly name: string; readonly value: string }[] {
  return [...headers].map(([name, value]) => ({ name, value: SECRET_HEADERS.has(name) ? REDACTED : value }));
}

const redactBody = (text: string) => text.replace(SECRET_MEMBERS, `$1"${REDACTED}"`);
