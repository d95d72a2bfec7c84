import type { KeptValue } from '../../../src/contract/hooks.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';

interface Told {
  readonly text: string;
  /** Unix seconds, all of them. */
  readonly seen: number;
  readonly epoch?: number | undefined;
  readonly withdrawn?: number;
}

const ns = (seconds: number) => BigInt(seconds) * 1_000_000_000n;

/** A value as a mirror remembers it, captured when it was first seen. */
export function keptValue({ text, seen, epoch, withdrawn }: Told): KeptValue {
  const { val, date } = JSON.parse(text);
  return {
    seenAt: seen,
    text: asJsonText(text),
    times: {
      known: { public: ns(epoch ?? seen), captured: ns(seen) },
      value: JSON.stringify(val),
      isUnlisted: date !== undefined,
      ...(withdrawn !== undefined && { withdrawnAt: ns(withdrawn) }),
    },
  };
}
