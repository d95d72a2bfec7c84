import { createHash } from 'node:crypto';

/** The name of a consumer that nobody named: the same for the same command, or address, and filters. */
export function consumerName(kind: 'exec' | 'forward', what: string, filters: readonly unknown[]): string {
  const text = JSON.stringify([what, ...filters.map((filter) => filter ?? null)]);
  return `${kind}-${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 8)}`;
}
