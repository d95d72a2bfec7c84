import { hash } from 'node:crypto';
import { MacroError } from '../../errors.ts';

/** Plans that a keys file may name. `basic` is without some groups; see docs/interface-access.md#keys. */
export const PLANS = ['individual', 'business', 'trial', 'enterprise', 'basic'] as const;
export type Plan = (typeof PLANS)[number];

/** One key that a server accepts: its digest, never the key itself. */
export interface KeyEntry {
  /** Hex. */
  readonly digest: string;
  readonly plan: Plan;
  readonly label: string;
}

/** The keys that a server accepts now: the same list as long as none has changed. */
export type KeyList = () => readonly KeyEntry[];

/** Digest (hex) under which a key is compared and counted. */
export function digestKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Printable ASCII without blanks, at most 256 characters. */
export function isWellFormedKey(key: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(key);
}

/** Reads `KEY PLAN LABEL` lines, none of an empty file; errors name the line, never the key. @throws MacroError of kind `usage`. */
export function parseKeys(text: string): readonly KeyEntry[] {
  const entries = new Map<string, KeyEntry>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim();
    if (words === '' || words.startsWith('#')) continue;
    const entry = parseLine(words, index + 1);
    if (entries.has(entry.digest)) throw wrongLine(index + 1, 'repeats a key of an earlier line');
    entries.set(entry.digest, entry);
  }
  return [...entries.values()];
}

function parseLine(words: string, line: number): KeyEntry {
  const [key = '', plan = '', ...label] = words.split(/\s+/);
  if (!isWellFormedKey(key)) throw wrongLine(line, 'has a key that is not printable ASCII of at most 256 characters');
  const known = PLANS.find((name) => name === plan.toLowerCase());
  if (!known) throw wrongLine(line, `has no plan that is known (legal: ${PLANS.join(', ')})`);
  return { digest: digestKey(key), plan: known, label: label.join(' ') };
}

function wrongLine(line: number, what: string): MacroError {
  return new MacroError('usage', `Line ${line} of the keys file ${what}.`, {
    hint: 'Write one "KEY PLAN LABEL" a line.',
  });
}
