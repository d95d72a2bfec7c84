import { expect, test } from 'vitest';
import { createCanvas } from '../../../../src/cli/print/chart/terminal.ts';

const textOf = (canvas: ReturnType<typeof createCanvas>) =>
  canvas.rows().map((cells) => cells.map(({ text }) => text).join(''));

// The Unicode standard numbers the dots of a pattern 1 2 3 7 down its left side and 4 5 6 8 down its right one.
test('each dot of a character is the one that Unicode has there', () => {
  const drawn = (x: number, y: number) => {
    const canvas = createCanvas(1, 1);
    canvas.draw([x, y], [x, y], 0);
    return textOf(canvas)[0];
  };
  const left = [0, 1, 2, 3].map((y) => drawn(0, y)).join('');
  const right = [0, 1, 2, 3].map((y) => drawn(1, y)).join('');
  expect([left, right]).toEqual(['\u2801\u2802\u2804\u2840', '\u2808\u2810\u2820\u2880']);
});

test('a line is drawn through every dot between its ends, and what is not drawn stays blank', () => {
  const canvas = createCanvas(3, 2);
  canvas.draw([0, 7], [3, 4], 0);
  expect(textOf(canvas)).toEqual(['   ', '\u2860\u280a ']);
});

test('a cell belongs to the line that was drawn into it last', () => {
  const canvas = createCanvas(2, 1);
  canvas.draw([0, 0], [3, 0], 0);
  canvas.draw([2, 3], [3, 3], 1);
  expect(canvas.rows()[0]?.map(({ line }) => line)).toEqual([0, 1]);
});
