import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { LABELS, serveScripted } from '../serve/scripted-source.ts';

/** What the linter's recommended rules find, warnings included. No rule is switched off. */
async function findingsOf(document: JsonObject): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}

const printed = (labels = LABELS) =>
  openApiDocument(INTERFACE, { title: 'x', version: '1.0.0', labels, prefixes: ['/v1', '/api/v1'] });

describe('an OpenAPI linter', () => {
  it('finds nothing in the served document', async () => {
    const { ask } = await serveScripted();
    const { json } = await ask('/openapi.json');
    expect(await findingsOf(json as JsonObject)).toEqual([]);
  });

  it('finds nothing in the document of the whole interface, with addresses or without', async () => {
    expect(await findingsOf(printed())).toEqual([]);
    expect(await findingsOf(printed({ ...LABELS, publicBaseUrl: '', docsUrl: '' }))).toEqual([]);
  });

  it('would find something', async () => {
    const { license, ...info } = printed().info as JsonObject;
    expect(await findingsOf({ ...printed(), info })).toEqual([
      'info-license: Info object should contain `license` field. #/info',
    ]);
  });
});

describe('an example', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);

  /** Every object of the document that has an example and a schema for it. */
  function exampled(value: unknown, at = '#'): { at: string; schema: JsonObject; example: unknown }[] {
    if (Array.isArray(value)) return value.flatMap((item, index) => exampled(item, `${at}/${index}`));
    if (!isJsonObject(value)) return [];
    const own =
      isJsonObject(value.schema) && 'example' in value ? [{ at, schema: value.schema, example: value.example }] : [];
    return [...own, ...Object.entries(value).flatMap(([name, item]) => exampled(item, `${at}/${name}`))];
  }

  it('fits the schema that it is an example of', () => {
    const examples = exampled(printed().paths);
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.filter(({ schema, example }) => !ajv.validate(schema, example))).toEqual([]);
  });
});
