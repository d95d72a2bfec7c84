import type { Client, LivePage } from '../../src/client/client.ts';
import { createClient } from '../../src/client/create.ts';
import type { ClientOptions } from '../../src/client/http/wire.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Args } from '../../src/contract/params/params.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { TestClock } from '../support/clock.ts';
import { testPlatform } from '../support/platform.ts';
import { type Exchange, type ScriptedUpstream, scriptUpstream } from '../support/upstream.ts';

export const BASE = 'https://api.example.test';
export const KEY = 'canary-4f1c9e7b-never-to-be-seen';

export interface Scene {
  readonly client: Client;
  readonly upstream: ScriptedUpstream;
  readonly clock: TestClock;
}

/** A client that talks to a script. */
export function scene(script: readonly Exchange[], options: Partial<ClientOptions> = {}): Scene {
  const upstream = scriptUpstream(script);
  const { platform, clock } = testPlatform({ fetch: upstream.fetch });
  return { client: createClient({ platform, baseUrl: BASE, ...options }), upstream, clock };
}

export function endpoint(id: string): Endpoint {
  const found = endpointById(id);
  if (!found) throw new Error(`No endpoint ${id}`);
  return found;
}

/** Arguments as a reader of the contract makes them, defaults filled in. */
export function argsFor(of: Endpoint, path: Record<string, string>, query: Record<string, string> = {}): Args {
  return readParams(of, { path, query }, { mode: 'liberal', now: Date.parse('2026-11-21') }).args;
}

/** The error of a call that must fail. */
export async function failure(call: Promise<unknown>): Promise<MacroError> {
  const error = await call.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof MacroError) return error;
  throw error;
}

export async function collect(pages: AsyncIterable<LivePage>): Promise<readonly LivePage[]> {
  const all: LivePage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

export const SENTIMENT = endpoint('risk_sentiment');
export const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31' } as const;

/** Rows of one day each, newest first. */
export function days(from: number, count: number): readonly { date: string; val: number }[] {
  return Array.from({ length: count }, (_, i) => ({
    date: new Date(Date.UTC(2030, 0, 1 - from - i)).toISOString().slice(0, 10),
    val: (from + i) / 8,
  }));
}
