import { toJsonText } from '../../contract/json/json.ts';
import { LABELS } from '../../source/labels.ts';
import type { Source } from '../../source/source.ts';

/** Answers what the clock alone decides, where there is no mirror to ask. */
export const localSource: Source = {
  async ask({ endpoint, args }, { now, caller }) {
    const body = endpoint.local?.({ args, now: Math.floor(now / 1000), caller, labels: LABELS });
    return { status: 200, body: toJsonText(body), from: 'mirror', asOf: now, synthetic: false, notes: [] };
  },
};
