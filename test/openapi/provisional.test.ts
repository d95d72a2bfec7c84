import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';
import { openApiDocument, SHARED_DECISIONS } from '../../src/openapi/document.ts';
import { LABELS } from '../serve/scripted-source.ts';

const documentWith = (headerPrefix: string) =>
  openApiDocument(INTERFACE, { title: 'x', version: '1.0.0', labels: LABELS, prefixes: ['/v1'], headerPrefix });
const document = documentWith('X-SVC');
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** Every marked place below a value, by its last name, with what is said of it. */
function marksIn(value: unknown, name = ''): [name: string, parts: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => marksIn(item, isJsonObject(item) ? String(item.name) : ''));
  if (!isJsonObject(value)) return [];
  const own: [string, unknown][] = value['x-provisional'] === true ? [[name, value['x-provisional-parts']]] : [];
  return [...own, ...Object.entries(value).flatMap(([inner, item]) => marksIn(item, inner))];
}

describe('what this project decided', () => {
  // Nothing of these is decided: docs/interface-endpoints.md#ping-and-health, docs/interface-endpoints.md#sources-of-rates and
  // docs/interface-endpoints.md#prediction-coverage.
  it('is some of every endpoint but these', () => {
    const unmarked = INTERFACE.filter(({ provisional }) => provisional === undefined).map(({ id }) => id);
    expect(unmarked).toEqual(['ping', 'health', 'predictions_coverage_currency', 'fx_sources']);
  });

  it('is marked at every operation, in the words of the contract', () => {
    for (const { path, provisional } of INTERFACE)
      for (const [verb, operation] of Object.entries(paths[path] ?? {}))
        expect([path, verb, operation['x-provisional'], operation['x-provisional-parts']]).toEqual([
          path,
          verb,
          provisional === undefined ? undefined : true,
          provisional,
        ]);
  });

  it('is marked once where all answers share it, under whatever prefix', () => {
    const shared = (of: JsonObject) => Object.fromEntries(marksIn(of.components));
    const { dataset_version: version, ...components } = SHARED_DECISIONS;
    expect(shared(document)).toEqual(components);
    const { 'X-SVC-Edge-Cache': cache, ...others } = components;
    expect(shared(documentWith('X-FX'))).toEqual({ ...others, 'X-FX-Edge-Cache': cache });
    const parameters = (paths['/v1/forex/{base}/{quote}']?.get?.parameters ?? []) as readonly JsonObject[];
    expect(marksIn(parameters)).toEqual([['dataset_version', version]]);
  });
});
