import { expect, test } from 'vitest';
import { requireNode } from '../../src/library/mirror/open-engine.ts';

test.each([
  ['Node 20.20.2', 'A mirror needs Node 22.19 or newer; this is 20.20.2.'],
  ['Node 22.18.0', 'A mirror needs Node 22.19 or newer; this is 22.18.0.'],
  ['Node 22.19.0', undefined],
  ['Node 24.0.0', undefined],
])('%s', (runtime, message) => {
  const required = () => requireNode({ runtime });
  if (message === undefined) expect(required).not.toThrow();
  else expect(required).toThrow(expect.objectContaining({ kind: 'usage', code: 'old_node', message }));
});
