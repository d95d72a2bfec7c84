import { wrapWords } from './wrap.ts';

/** A name and its value, both clean. */
export type NamedValue = readonly [name: string, value: string];

export interface RecordLook {
  readonly indent: string;
  readonly width: number;
  paintName(text: string): string;
}

/** Values below each other, one a line with its name in front; a value of several lines stays behind its name. */
export function fieldLines(values: readonly NamedValue[], { indent, width, paintName }: RecordLook): string {
  const nameWidth = Math.max(...values.map(([name]) => name.length), 0);
  const room = Math.max(width - indent.length - nameWidth - 2, MIN_ROOM);
  const lines = values.flatMap(([name, value]) =>
    wrapWords(value, room).map((part, i) => `${indent}${paintName((i === 0 ? name : '').padEnd(nameWidth))}  ${part}`),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Characters of a value that a line holds however narrow the terminal is. */
const MIN_ROOM = 20;
