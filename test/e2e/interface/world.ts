import { type Json, type JsonObject, parseObject } from '../../../src/contract/json/json.ts';
import type { Fetch } from '../../../src/platform/platform.ts';
import { freshFolder, type TestPlatform, testPlatform } from '../../support/platform.ts';
import { macro } from '../../support/run.ts';
import { SERVICE_URL } from '../../support/service.ts';

/** What a command line came to. */
export interface Outcome {
  readonly line: string;
  readonly code: number;
  readonly requests: number;
  /** The answer of a line that succeeded. */
  readonly body?: Json;
  /** Sentences beside the answer. */
  readonly notes: readonly string[];
  /** What was told of a line that failed. */
  readonly told?: { readonly message: string; readonly hint: string | null; readonly code: string | null };
}

/** A machine of somebody with or without a key, with a mirror of its own that is empty at first. */
export interface Machine {
  run(line: string): Promise<Outcome>;
}

export function machine(fetch: Fetch, key: string | undefined): Machine {
  let requests = 0;
  const counted: Fetch = (url, init) => {
    // Asking whether the service is there costs no quota.
    if (!String(url).endsWith('/v1/ping')) requests += 1;
    return fetch(url, init);
  };
  const env = { MACRO_BASE_URL: SERVICE_URL, ...(key !== undefined && { MACRO_API_KEY: key }) };
  const world: TestPlatform = testPlatform({ fetch: counted, env, folder: freshFolder() });
  return {
    async run(line) {
      const before = requests;
      const { code, out, err } = await macro(`${line} --format json`, world);
      const told = messagesIn(err);
      const notes = told.map(({ message }) => String(message));
      const outcome = { line, code, requests: requests - before, notes };
      return code === 0 ? { ...outcome, body: JSON.parse(out) } : { ...outcome, told: errorIn(told) };
    },
  };
}

/** With JSON on stdout each line of stderr is a JSON object. */
function messagesIn(err: string): readonly JsonObject[] {
  const lines = err.split('\n').filter((line) => line !== '');
  return lines.map(parseObject);
}

function errorIn(messages: readonly JsonObject[]): NonNullable<Outcome['told']> {
  const last = messages.at(-1);
  if (!last) throw new Error('A line failed without a word.');
  return { message: String(last.message), hint: textOrNull(last.hint), code: textOrNull(last.code) };
}

const textOrNull = (value: Json | undefined) => (typeof value === 'string' ? value : null);
