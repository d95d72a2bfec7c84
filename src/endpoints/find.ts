import { isServed } from '../contract/capabilities.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Mapping } from '../contract/mapping.ts';

/** Endpoints whose answers read their own series only. A question to one loads no other: all of them take a third of a start. */
const ALONE: Readonly<Record<string, () => Promise<{ readonly default: Endpoint }>>> = {
  forex: () => import('./fx/forex.ts'),
};

const loaded = new Map<string, Endpoint>();
const mappings: Record<string, Mapping> = {};
let isWhole = false;

/** The mappings of the loaded endpoints that the mirror keeps, by endpoint id. */
export const LOADED_MAPPINGS: Readonly<Record<string, Mapping>> = mappings;

/** The endpoint of an id with all that its answers read; undefined for an id that this version does not know. */
export async function loadEndpoint(id: string): Promise<Endpoint | undefined> {
  if (!isWhole && !loaded.has(id)) {
    const alone = Object.hasOwn(ALONE, id) ? ALONE[id] : undefined;
    if (alone) addEndpoints([(await alone()).default]);
    else await loadEndpoints();
  }
  return loaded.get(id);
}

/** For whoever reads series of any endpoint. */
export async function loadEndpoints(): Promise<void> {
  if (!isWhole) await import('./index.ts');
}

/** The endpoint of an id that a series names; undefined if this version does not know it. */
export function loadedEndpoint(id: string): Endpoint | undefined {
  const endpoint = loaded.get(id);
  if (!endpoint && !isWhole) throw new Error(`The endpoint ${id} is not loaded`);
  return endpoint;
}

/** All endpoints, once they are loaded. */
export function loadedEndpoints(): readonly Endpoint[] {
  return [...loaded.values()];
}

/** Called by the list of all endpoints, in its order. */
export function addAllEndpoints(all: readonly Endpoint[]): void {
  loaded.clear();
  addEndpoints(all);
  isWhole = true;
}

function addEndpoints(endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) {
    loaded.set(endpoint.id, endpoint);
    if (endpoint.mirror && isServed(endpoint) && !endpoint.managed) mappings[endpoint.id] = endpoint.mirror;
  }
}
