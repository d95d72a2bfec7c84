// `--trace FILE.har`: the requests of a command, redacted, as an HTTP archive (HAR 1.2) that browsers open.
import { resolve } from 'node:path';
import { scrubText } from '../../client/http/scrub.ts';
import { CLIENT_VERSION } from '../../client/http/version.ts';
import type { FetchInit, Platform } from '../../platform/platform.ts';

/** The platform to use instead, and the end of the recording. */
export interface Trace {
  readonly platform: Platform;
  /** Writes the file, readable by its owner only. */
  finish(): Promise<void>;
}

/** Headers whose value is never written. */
const SECRET_HEADERS = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const REDACTED = 'redacted';
/** Members of bodies that hold a secret, such as that of a subscription. */
const SECRET_MEMBERS = /("(?:[a-z_]*secret[a-z_]*|api_key)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

type Entry = Readonly<Record<string, unknown>>;

/** Records what goes through `fetch` from now on. */
export function openTrace(platform: Platform, file: string): Trace {
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
      entry(responseOf(response.clone()));
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

/** Keys that a request carries. */
export function secretsOf({ headers }: FetchInit): readonly string[] {
  const values = [...new Headers(headers)].flatMap(([name, value]) => (SECRET_HEADERS.has(name) ? [value] : []));
  return values.map((value) => value.replace(/^bearer\s+/i, '')).filter((value) => value !== '');
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

/** A stream has no end that could be waited for. */
async function responseOf(response: Response): Promise<Entry> {
  const mimeType = response.headers.get('content-type') ?? '';
  const isStream = mimeType.startsWith('text/event-stream');
  if (isStream) void response.body?.cancel();
  const text = isStream ? '' : await response.text().catch(() => '');
  return {
    ...NO_ANSWER,
    ...{ status: response.status, statusText: response.statusText, headers: headerList(response.headers) },
    content: { size: text.length, mimeType, text: redactBody(text) },
  };
}

/** Headers without the values of secret ones. */
export function headerList(headers: Headers): readonly { readonly name: string; readonly value: string }[] {
  return [...headers].map(([name, value]) => ({ name, value: SECRET_HEADERS.has(name) ? REDACTED : value }));
}

/** A body without the values of secret members. */
export const redactBody = (text: string) => text.replace(SECRET_MEMBERS, `$1"${REDACTED}"`);
