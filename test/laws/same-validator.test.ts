import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { AnswerCommit } from '../../src/mirror/api/page-commit.ts';
import { GENERATED_ACCESS } from '../../src/mirror/rules/coverage.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { madeOnce } from '../support/made-once.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxPath } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const CALLERS: readonly Caller[] = [{ kind: 'keyed', plan: 'individual' }, { kind: 'keyless' }, { kind: 'owner' }];

const VARIANTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { limit: '3' },
  { limit: '3', offset: '2' },
  { as_of: '2026-11-01' },
  { revisions: 'first' },
];

const HOUR = 3_600_000;

/**
 * What became of the newest row of every series, step by step; by how many hours each step lies back. The last two of a pair of
 * equal ones came another way.
 */
const PASTS = {
  'as it was': [],
  'one value': [1],
  'another value': [2],
  'the same value later': [2, 1],
  'and back': [1, 0],
} as const;

const { platform, clock } = testPlatform();

type Past = keyof typeof PASTS;

/** Copies of the sandbox with such a past: what a restored backup, or another host, may hold. */
const mirrors = new Map<Past, Mirror>();

beforeAll(async () => {
  for (const name of Object.keys(PASTS) as Past[]) {
    const path = await madeOnce(`validators ${name} ${clock.now()}.db`, (to) => makePast(to, PASTS[name]));
    mirrors.set(name, await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' }));
  }
});

afterAll(() => {
  for (const mirror of mirrors.values()) mirror.close();
});

async function makePast(path: string, steps: readonly number[]): Promise<void> {
  copyFileSync(await sandboxPath(platform), path);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const nature = (await mirror.stamp()).nature ?? 'synthetic';
  const found = await Promise.all(Object.keys(MAPPINGS).map((endpoint) => mirror.find({ endpoint, scope: {} })));
  for (const series of found.flat()) {
    const [newest] = await mirror.rows(series, {}, { limit: 1, offset: 0 });
    if (!newest) continue;
    const isMap = !Object.hasOwn(newest.columns, '') && MAPPINGS[series.endpoint]?.key[0]?.name === 'slug';
    for (const [place, by] of steps.entries()) {
      const text = moved(newest.text, by);
      if (text === newest.text && by !== 0) continue;
      const { endpoint, scope, origin } = series;
      const commit: AnswerCommit = {
        ...{
          series: { endpoint, scope, origin },
          nature,
          access: GENERATED_ACCESS,
          request: 'GET /v1/test',
          question: 'test',
        },
        rows: [{ text: asJsonText(text), value: JSON.parse(text), ...(isMap && { name: String(newest.key[0]) }) }],
        extent: 'adds',
        at: clock.now() + (1 + place) * 60_000,
      };
      await mirror.commitPage(commit);
    }
  }
  mirror.close();
}

/** The row with its value moved by a number. */
function moved(text: string, by: number): string {
  const row: JsonObject = JSON.parse(text);
  const name = ['val', 'price', 'score', 'noncomm_net', 'consensus'].find((one) => typeof row[one] === 'number');
  if (name === undefined || by === 0) return text;
  return JSON.stringify({ ...row, [name]: Number(row[name]) + by });
}

/** Behind the keyless delay, inside which an answer tells what the mirror saw when. */
const now = clock.now() + HOUR;

async function answersOf(mirror: Mirror, endpoint: Endpoint, caller: Caller) {
  const source = createMirrorSource({ mirror, labels: LABELS });
  const { path, query = {} } = exampleOf(endpoint);
  const answers = [];
  for (const variant of VARIANTS) {
    if (!Object.keys(variant).every((name) => endpoint.query[name] !== undefined)) continue;
    const raw = { path, query: { ...query, ...variant } };
    try {
      const { args } = readParams(endpoint, raw, { mode: 'liberal', now });
      const { body, etag } = await source.ask({ endpoint, args }, { caller, now });
      const { dataset_version: version, data }: JsonObject = JSON.parse(body);
      if (typeof version === 'string') {
        const pinned = { endpoint, args: { ...args, dataset_version: version } };
        const { etag: ifNoneMatch } = await source.ask(pinned, { caller, now });
        // A server that has told no version yet knows the page too.
        const other = createMirrorSource({ mirror, labels: LABELS });
        const { status } = await other.ask(pinned, { caller, now, ...(ifNoneMatch !== undefined && { ifNoneMatch }) });
        expect(status).toBe(ifNoneMatch === undefined ? 200 : 304);
      }
      answers.push({ asked: JSON.stringify(variant), etag, body, version, data: JSON.stringify(data) });
    } catch (error) {
      if (!(error instanceof MacroError) || error.code === 'dataset_version_mismatch') throw error;
    }
  }
  return answers;
}

describe.each(EACH)('%s', (_, endpoint) => {
  it.each(CALLERS)(
    'gives a validator or a version to one body alone, whatever a mirror has seen, to $kind',
    async (caller) => {
      const bodies = new Map<string, string>();
      const told = new Map<string, Awaited<ReturnType<typeof answersOf>>>();
      for (const [name, mirror] of mirrors) {
        const answers = await answersOf(mirror, endpoint, caller);
        told.set(name, answers);
        for (const { asked, etag, body, version, data } of answers)
          for (const [mark, content] of [
            [etag, body],
            [version, data],
          ]) {
            if (mark === undefined) continue;
            const place = `${asked} ${mark}`;
            expect([place, content]).toEqual([place, bodies.get(place) ?? content]);
            bodies.set(place, String(content));
          }
      }
      if (endpoint.tellsHistory?.(readParams(endpoint, exampleOf(endpoint), { mode: 'liberal', now }).args)) return;
      // Equal rows have equal ones, however they came there. Questions about the past also tell when they came.
      const marksOf = (name: Past) =>
        (told.get(name) ?? [])
          .filter(({ asked }) => !/as_of|revisions/.test(asked))
          .map(({ etag, version }) => [etag, version]);
      expect(marksOf('the same value later')).toEqual(marksOf('one value'));
      expect(marksOf('and back')).toEqual(marksOf('as it was'));
    },
  );
});
