import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDocument } from '../../scripts/documents.mjs';

const src = join(import.meta.dirname, '../../src');

/** Codes that are no errors. */
const GOOD = ['progress', 'signature_holds'];

it('every code of an error stands in a page of troubleshooting', () => {
  const text = ['docs/troubleshooting.md', 'docs/troubleshooting-answers.md'].map(readDocument).join('\n');
  const known = new Set([...text.matchAll(/`([A-Za-z_]+)`/g)].map(([, code]) => code));
  const codes = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => codesOf(readFileSync(join(src, path), 'utf8')));
  expect(new Set(codes).size).toBeGreaterThan(120);
  expect([...new Set(codes)].filter((code) => !known.has(code) && !GOOD.includes(code))).toEqual([]);
});

/** Codes as an error is given them, and those that types list: what is wrong with a mirror, a delivery or a record. */
function codesOf(source: string): readonly string[] {
  const given = [...source.matchAll(/\bcode: '([a-z_]+)'/g)];
  const lists = [...source.matchAll(/type (?:MirrorTrouble|Refusal|VerifyReason) =([^;]+);/g)];
  const members = [...source.matchAll(/readonly (?:reason|name):([^;]+);/g)];
  const listed = [...lists, ...members].flatMap(([, list = '']) => [...list.matchAll(/'([a-z]+_[a-z_]+)'/g)]);
  return [...given, ...listed].flatMap(([, code]) => code ?? []);
}
