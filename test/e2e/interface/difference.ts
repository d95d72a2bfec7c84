import { isJsonObject, type Json, jsonEqual } from '../../../src/contract/json/json.ts';

/** Where two values differ, in words: the member, what was wanted and what came. */
export function difference(wanted: Json | undefined, came: Json | undefined, at = ''): readonly string[] {
  if (jsonEqual(wanted, came)) return [];
  if (Array.isArray(wanted) && Array.isArray(came)) {
    if (wanted.length !== came.length) return [`${at}: ${wanted.length} items, not ${came.length}`];
    return wanted.flatMap((item, i) => difference(item, came[i], `${at}[${i}]`));
  }
  if (isJsonObject(wanted) && isJsonObject(came)) {
    const names = [...new Set([...Object.keys(wanted), ...Object.keys(came)])];
    return names.flatMap((name) => difference(wanted[name], came[name], at === '' ? name : `${at}.${name}`));
  }
  return [`${at}: ${short(wanted)}, not ${short(came)}`];
}

function short(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
