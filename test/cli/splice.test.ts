import { describe, expect, it } from 'vitest';
import { spliceMap } from '../../src/cli/print/answer.ts';
import { mapBody } from '../../src/contract/json/body.ts';
import { asJsonText } from '../../src/contract/json/json.ts';

const shape = mapBody('slug', [], 'indicators');
if (shape.kind !== 'map') throw new Error('mapOf makes a map');

describe('a map with other rows', () => {
  it('keeps the spelling of what stands beside them', () => {
    const body = '{"serial":12345678901234567890,"a":{"unit":"%"},"ratio":1.10}';
    expect(spliceMap(shape, body, [['b', asJsonText('{"unit":"x"}')]])).toBe(
      '{"b":{"unit":"x"},"serial":12345678901234567890,"ratio":1.10}',
    );
  });
});
