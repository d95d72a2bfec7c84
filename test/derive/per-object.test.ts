import { expect, test } from 'vitest';
import { perObject } from '../../src/derive/memory.ts';

test('the same object has its value worked out once, an equal one for itself', () => {
  let made = 0;
  const doubled = perObject(({ n }: { readonly n: number }) => {
    made += 1;
    return { twice: n * 2 };
  });
  const one = { n: 1 };
  expect([doubled(one), doubled(one), doubled({ n: 1 })]).toEqual([{ twice: 2 }, { twice: 2 }, { twice: 2 }]);
  expect(made).toBe(2);
  expect(doubled(one)).toBe(doubled(one));
});
