import type { createColors } from 'picocolors';
import { cleanText } from '../clean.ts';
import { wrapPieces } from './wrap.ts';

/** The name of the answer stands out from the facts about it. */
export function titleLines(
  title: readonly string[],
  width: number,
  paint: Pick<ReturnType<typeof createColors>, 'bold' | 'dim'>,
): readonly string[] {
  const [name = '', ...facts] = title.map(cleanText);
  return wrapPieces(title.length === 0 ? [] : [name, ...facts], '  ', width).map((line, i) =>
    i === 0 && line.startsWith(name)
      ? `${paint.bold(name)}${line === name ? '' : paint.dim(line.slice(name.length))}`
      : paint.dim(line),
  );
}
