import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { MacroError } from '../../src/errors.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Source } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const CALLERS: readonly Caller[] = [{ kind: 'keyed', plan: 'individual' }, { kind: 'keyless' }, { kind: 'owner' }];

/** Pages and windows of a question, those that an endpoint does not have left out. */
const VARIANTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { limit: '3' },
  { limit: '3', offset: '2' },
  { limit: '7', offset: '5' },
  { limit: '4', offset: '1', start_date: '2026-08-01' },
  { limit: '4', offset: '1', start_date: '2026-08-01', end_date: '2026-10-01' },
  { limit: '4', start_date: '2026-09-03' },
  { limit: '4', offset: '100000' },
];

interface Asked {
  readonly endpoint: Endpoint;
  readonly raw: RawArgs;
}

/** The endpoint as it would be if each series were read whole. */
function readWhole(endpoint: Endpoint): Endpoint {
  const { compose } = endpoint;
  if (!compose?.moreNeeded) return endpoint;
  const { rowsNeeded: _, moreNeeded: __, ...whole } = compose;
  return { ...endpoint, compose: whole };
}

/** An answer, or why there is none. */
async function told(
  source: Source,
  { endpoint, raw }: Asked,
  context: { readonly caller: Caller; readonly now: number; readonly once?: boolean },
) {
  try {
    const { args } = readParams(endpoint, raw, { mode: 'liberal', now: context.now });
    const { body, etag, asOf, partial } = await source.ask({ endpoint, args }, context);
    return { body, etag, asOf, mark: partial?.mark };
  } catch (error) {
    if (error instanceof MacroError) return { code: error.code, status: error.status, message: error.message };
    throw error;
  }
}

describe.each(EACH)('%s', (_, endpoint) => {
  it('is answered from what is kept as it is without', async () => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const mirror = await sandboxMirror(platform);
    const source = createMirrorSource({ mirror, labels: LABELS, columns: createColumns() });
    const { path, query = {} } = exampleOf(endpoint);
    const known = VARIANTS.map((variant) => ({
      ...query,
      ...Object.fromEntries(Object.entries(variant).filter(([name]) => endpoint.query[name] !== undefined)),
    }));
    const asked = [...new Map(known.map((one) => [JSON.stringify(one), one])).values()];
    // The second time around everything that can be kept is.
    for (const one of [...asked, ...asked])
      for (const caller of CALLERS) {
        const fresh = createMirrorSource({ mirror, labels: LABELS });
        const question = { endpoint, raw: { path, query: one } };
        const [kept, read] = [
          await told(source, question, { caller, now }),
          await told(fresh, { ...question, endpoint: readWhole(endpoint) }, { caller, now }),
        ];
        expect([one, kept]).toEqual([one, read]);
      }
  });

  it('is answered to whoever asks once as to anybody else, without a validator', async () => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const mirror = await sandboxMirror(platform);
    const raw = exampleOf(endpoint);
    const answerOf = (once: boolean, caller: Caller) =>
      told(createMirrorSource({ mirror, labels: LABELS }), { endpoint, raw }, { caller, now, once });
    for (const caller of CALLERS) {
      const usual = await answerOf(false, caller);
      const answered = 'body' in usual ? { ...usual, etag: undefined } : usual;
      expect(await answerOf(true, caller)).toEqual(answered);
    }
  });
});
