import { hash } from 'node:crypto';
import type { KeyValue } from '../api/rows.ts';

/** SHA-256 of one row, a byte in each of 32 characters: the form that node:crypto makes fastest. */
export type Digest = string;

/** Values of the mirror's own columns beside a row's text. */
export interface OwnValues {
  readonly seen: number;
  readonly refreshed: number | null;
  readonly keyed: number;
  readonly assumed: number | null;
}

/** Where a row stands among the superseded ones. */
export interface EndedVersion {
  readonly revision: number;
  readonly superseded: number;
}

/** What a vintage's row holds beside its key; the instants in nanoseconds as decimal digits. */
export interface VintageValues {
  readonly known: string;
  readonly value: string;
  readonly epoch: number | null;
  readonly observed: string | null;
  readonly seen: number;
}

/**
 * Digest of a current row. Typed columns are left out: they follow from the text, are checked against it, and may be
 * added later without a change of what is stored.
 */
export function currentDigest(key: readonly KeyValue[], own: OwnValues, text: string): Digest {
  return rowDigest(`c${ownText(own)}|${keyText(key)}|${text}`);
}

/** The same for rows that come together: what their digests begin with is spelled once, not for each. */
export function currentDigester(own: OwnValues): (key: readonly KeyValue[], text: string) => Digest {
  const head = `c${ownText(own)}|`;
  return (key, text) => rowDigest(head.concat(keyText(key), '|', text));
}

export function supersededDigest(key: readonly KeyValue[], own: OwnValues & EndedVersion, text: string): Digest {
  return rowDigest(`s${ownText(own)},${own.revision},${own.superseded}|${keyText(key)}|${text}`);
}

export function vintageDigest(key: readonly KeyValue[], values: VintageValues, text: string): Digest {
  const { known, value, epoch, observed, seen } = values;
  return rowDigest(`v${known},${epoch ?? ''},${observed ?? ''},${seen}|${keyText([...key, value])}|${text}`);
}

/** Digest of a row of the ledger. */
export function factDigest(values: readonly (string | number | null)[]): Digest {
  return rowDigest(JSON.stringify(values));
}

/** The first 48 bits, which a number holds exactly: kept with each row, so that an altered one can be named. */
export function markOf(digest: Digest): number {
  let mark = 0;
  for (let i = 0; i < 6; i += 1) mark = mark * 256 + digest.charCodeAt(i);
  return mark;
}

export function rowDigest(text: string): Digest {
  return hash('sha256', text, 'binary');
}

function ownText({ seen, refreshed, keyed, assumed }: OwnValues): string {
  return `${seen},${refreshed ?? ''},${keyed},${assumed ?? ''}`;
}

/** Values with their lengths, so that no two keys have one spelling. */
function keyText(key: readonly KeyValue[]): string {
  let text = '';
  for (const value of key) text += typeof value === 'number' ? `n${value};` : `t${value.length}:${value};`;
  return text;
}
