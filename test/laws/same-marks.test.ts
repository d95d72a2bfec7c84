// Law: equal rows have equal marks, whether a question came live, offline, or as of a moment.
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { type JsonObject, objectIn } from '../../src/contract/json/json.ts';
import { readParamsAt } from '../../src/contract/params/read-params.ts';
import type { AsOf } from '../../src/contract/time/moments.ts';
import { MacroError } from '../../src/errors.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const MARKS = [
  'is_derived',
  'is_official',
  'is_proxy',
  'is_stale',
  'source_type',
  'data_lag_days',
  'stale_after_days',
  'has_assumed_release_times',
  'assumed_release_time_count',
  'unverified_vintage_count',
  'point_in_time_safe',
] as const;

const VARIANTS: readonly Readonly<Record<string, string>>[] = [{}, { revisions: 'all' }, { revisions: 'first' }];

/** A schedule of a moment is another list, and is marked partial where that list is not stored. */
const OWN_MOMENT: ReadonlySet<string> = new Set(['calendar_snapshot', 'calendar_versions']);

function marksIn(envelope: JsonObject): JsonObject {
  const quality = objectIn(envelope.data_quality);
  const marks = MARKS.flatMap((name) => (quality[name] === undefined ? [] : [[name, quality[name]] as const]));
  return { ...Object.fromEntries(marks), remap: envelope.remap ?? null };
}

describe.each(EACH)('%s', (id, endpoint) => {
  it('says the same of equal rows on every path', async () => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const mirror = await sandboxMirror(platform);
    const { fetch } = await serviceOver(mirror, platform);
    const offline = createMirrorSource({ mirror, labels: LABELS });
    const live = createLiveSource({
      client: createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' }),
    });
    const { path, query } = exampleOf(endpoint);
    const context = { caller: { kind: 'keyed', plan: 'individual' }, now } as const;
    for (const variant of VARIANTS) {
      if (!Object.keys(variant).every((name) => endpoint.query[name])) continue;
      const raw = { path, query: { ...query, ...variant } };
      const told = async (source: typeof live, moment: AsOf | undefined) => {
        const { args, asOf } = readParamsAt(endpoint, raw, { mode: 'liberal', now, asOf: moment });
        const { body } = await source.ask({ endpoint, args }, { ...context, ...(asOf && { asOf }) });
        const { envelope, rows } = cutBody(endpoint.body, body);
        return { rows: rows.map(({ value: { val, date } }) => [date, val]), marks: marksIn(envelope) };
      };
      const plain = await told(offline, undefined);
      expect(await told(live, undefined)).toEqual(plain);
      if (OWN_MOMENT.has(id) || query?.date !== undefined) continue;
      for (const by of ['public', 'captured', 'mirrored'] as const) {
        const then = await told(offline, { at: now, by }).catch((error: unknown) => {
          if (error instanceof MacroError) return undefined;
          throw error;
        });
        if (then && JSON.stringify(then.rows) === JSON.stringify(plain.rows))
          expect([variant, by, then.marks]).toEqual([variant, by, plain.marks]);
      }
    }
  });
});
