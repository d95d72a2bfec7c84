import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { LABELS } from '../serve/scripted-source.ts';

const document = openApiDocument(ENDPOINTS, { title: '', version: '1.0.0', labels: LABELS, prefixes: ['/v1'] });

function at(...names: readonly string[]): JsonObject {
  let value: unknown = document;
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(value) ? value : {};
}

describe('a question that may be posted', () => {
  const get = at('paths', '/v1/research/panel', 'get');
  const post = at('paths', '/v1/research/panel', 'post');

  test('has both verbs, the body in one and the parameters in the other', () => {
    expect([get.operationId, post.operationId]).toEqual([
      'research_panel_v1_research_panel_get',
      'research_panel_v1_research_panel_post',
    ]);
    expect(post.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ResearchPanelRequest' } } },
    });
    expect(post.parameters).toEqual([{ $ref: '#/components/parameters/ApiKeyQuery' }]);
    expect((get.parameters as { name?: string }[]).flatMap(({ name }) => name ?? [])).toEqual([
      'series',
      'decision_times',
      'start_date',
      'end_date',
      'availability',
      'dataset_version',
    ]);
  });

  test('has no validator when it is posted, and a bound on its body', () => {
    expect(Object.keys(get.responses ?? {})).toContain('304');
    expect(Object.keys(post.responses ?? {})).not.toContain('304');
    expect((post.responses as JsonObject)['413']).toEqual({ $ref: '#/components/responses/PayloadTooLarge' });
    expect(post.security).toEqual([{ APIKeyHeader: [] }, { HTTPBearer: [] }]);
  });

  test('describes the body as the service publishes it', () => {
    const schema = at('components', 'schemas', 'ResearchPanelRequest');
    expect([schema.required, schema.additionalProperties]).toEqual([
      ['series', 'decision_times', 'start_date', 'end_date'],
      false,
    ]);
    expect(at('components', 'schemas', 'ResearchPanelRequest', 'properties', 'series')).toMatchObject({
      minItems: 1,
      maxItems: 6,
    });
    expect(at('components', 'schemas', 'ResearchPanelRequest', 'properties', 'decision_times')).toMatchObject({
      minItems: 1,
      maxItems: 10_000,
    });
  });

  test('is rare: every other path has one verb', () => {
    const others = Object.entries(at('paths')).filter(([path]) => path !== '/v1/research/panel');
    expect(others.flatMap(([path, verbs]) => (Object.keys(verbs as object).join() === 'get' ? [] : [path]))).toEqual(
      [],
    );
  });
});

test('a refusal that tells more has a shape of its own', () => {
  expect(at('paths', '/v1/predictions/{currency}/{indicator}', 'get', 'responses', '401')).toEqual({
    $ref: '#/components/responses/Refused',
  });
  expect(at('components', 'schemas', 'Refusal').required).toEqual(['detail', 'code']);
});

test('a demand is a bad request', () => {
  expect(at('paths', '/v1/predictions/{currency}', 'get', 'responses', '400')).toEqual({
    $ref: '#/components/responses/BadRequest',
  });
});
