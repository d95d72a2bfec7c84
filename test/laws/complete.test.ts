import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const CALLERS: readonly Caller[] = [{ kind: 'owner' }, { kind: 'keyed', plan: 'individual' }, { kind: 'keyless' }];

describe.each(EACH)('%s', (_, endpoint) => {
  it('is answered without a word of what is missing from a mirror that holds everything', async () => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const source = createMirrorSource({ mirror: await sandboxMirror(platform), labels: LABELS });
    const { args } = readParams(endpoint, exampleOf(endpoint), { mode: 'strict', now });
    for (const caller of CALLERS) {
      const { partial } = await source.ask({ endpoint, args }, { caller, now });
      expect([caller.kind, partial?.mark]).toEqual([caller.kind, undefined]);
    }
  });
});
