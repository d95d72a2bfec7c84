import { describe, expect, it } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import { KEY, serveScripted } from '../serve/scripted-source.ts';
import { TEST_NOW } from '../support/platform.ts';
import { addressOf, EACH, exampleOf } from './wire.ts';

const { ask, source } = await serveScripted({ quotas: false });

describe.each(EACH)('the address of the example of %s', (id, endpoint) => {
  const { args } = readParams(endpoint, exampleOf(endpoint), { mode: 'strict', now: TEST_NOW });
  const address = addressOf(endpoint, exampleOf(endpoint));

  it.each(['', '/api'])('arrives below "%s" at the same endpoint, with the same arguments', async (prefix) => {
    source.asked.length = 0;
    const { status } = await ask(`${prefix}${address}`, KEY);
    const asked = source.asked.map(({ question }) => [question.endpoint.id, question.args]);
    expect([status, asked]).toEqual([200, [[id, args]]]);
  });

  it('arrives there in lower case and with a slash at its end as well', async () => {
    source.asked.length = 0;
    const [path = '', query = ''] = address.split('?');
    await ask(`${path.toLowerCase()}/?${query}`, KEY);
    expect(source.asked.map(({ question }) => [question.endpoint.id, question.args])).toEqual([[id, args]]);
  });
});
