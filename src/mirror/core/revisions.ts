import { type JsonObject, jsonEqual } from '../../contract/json/json.ts';

/**
 * What a received row is to the stored one. `dependent`: only fields that belong to the question or to the neighbours
 * differ, which is no revision of the observation. Parsed values are compared, because the service's key order and number
 * spelling are not stable.
 */
export function compareRows(
  stored: JsonObject,
  received: JsonObject,
  dependent: ReadonlySet<string>,
): 'same' | 'dependent' | 'revised' {
  let difference: 'same' | 'dependent' = 'same';
  for (const name of namesOf(stored, received)) {
    if (sameMember(stored, received, name)) continue;
    if (!dependent.has(name)) return 'revised';
    difference = 'dependent';
  }
  return difference;
}

function namesOf(stored: JsonObject, received: JsonObject): readonly string[] {
  return [...Object.keys(stored), ...Object.keys(received).filter((name) => !Object.hasOwn(stored, name))];
}

function sameMember(stored: JsonObject, received: JsonObject, name: string): boolean {
  return Object.hasOwn(stored, name) && Object.hasOwn(received, name) && jsonEqual(stored[name], received[name]);
}
