import { type JsonObject, jsonEqual } from '../../contract/json/json.ts';

/**
 * What a received row is to the held one. `dependent`: only fields that belong to the question or to the neighbours
 * differ, which is no revision of the observation. Parsed values are compared, because the service's key order and number
 * spelling are not stable.
 */
export function compareRows(
  held: JsonObject,
  received: JsonObject,
  dependent: ReadonlySet<string>,
): 'same' | 'dependent' | 'revised' {
  let difference: 'same' | 'dependent' = 'same';
  for (const name of namesOf(held, received)) {
    if (sameMember(held, received, name)) continue;
    if (!dependent.has(name)) return 'revised';
    difference = 'dependent';
  }
  return difference;
}

function namesOf(held: JsonObject, received: JsonObject): readonly string[] {
  return [...Object.keys(held), ...Object.keys(received).filter((name) => !Object.hasOwn(held, name))];
}

function sameMember(held: JsonObject, received: JsonObject, name: string): boolean {
  return Object.hasOwn(held, name) && Object.hasOwn(received, name) && jsonEqual(held[name], received[name]);
}
