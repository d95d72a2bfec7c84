import type { Caller } from '../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import type { AccessTag } from '../../src/mirror/api/series.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question } from '../../src/source/source.ts';
import { commitOfAnswer } from '../../src/source/stored/answer-commit.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';

/** The moment of all questions; the keyless delay lets through what came by 12:15. */
export const NOW = Date.parse('2026-11-21T12:34:00Z');
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export const KEYLESS: Caller = { kind: 'keyless' };
export const KEYED: Caller = { kind: 'keyed', plan: 'individual' };
export const OWNER: Caller = { kind: 'owner' };

export function question(id: string, path: Record<string, string>, query: Record<string, string> = {}): Question {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now: NOW }).args };
}

/** Pagination of an answer that is whole. */
export const whole = (count: number) => ({
  limit: 100,
  offset: 0,
  returned_count: count,
  total_count: count,
  has_more: false,
});

/** A mirror that takes answers of the service and is asked itself. */
export async function world() {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const take = (asked: Question, body: JsonObject, told: { access?: AccessTag; at?: number; isAll?: true } = {}) => {
    const { access = 'key:1', at = NOW, isAll } = told;
    const reply = {
      status: 200,
      body: asJsonText(JSON.stringify(body)),
      etag: undefined,
      request: 'GET',
      synthetic: false,
      edgeHit: false,
      notes: [],
    } as const;
    const commit = commitOfAnswer({ ...asked, reply, service: 'https://s.test', access, at });
    // A walk to the end tells of everything that it did not meet, one page only of what lies between its rows.
    const covered = { from: BEGINNING, to: dateOf(at), rows: commit.rows.length };
    return mirror.commitPage(isAll ? { ...commit, extent: 'replaces', covered } : commit);
  };
  const ask = async (asked: Question, caller: Caller, now = NOW) => {
    const reply = await source.ask(asked, { caller, now });
    return { ...reply, json: JSON.parse(reply.body) };
  };
  return { mirror, source, take, ask };
}
