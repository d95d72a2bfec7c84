/** Lines of at most `width` characters, broken between words. A longer word stays whole: half an address is none. */
export function wrapWords(text: string, width: number): readonly string[] {
  return wrapPieces(text.split(' '), ' ', width);
}

/** The same over pieces with a separator between them; a piece that is longer than a line is broken at its words. */
export function wrapPieces(pieces: readonly string[], between: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const joined = last === undefined ? piece : `${last}${between}${piece}`;
    if (lines.length === 0 || joined.length > width)
      lines.push(...(piece.length > width && piece.includes(' ') ? wrapWords(piece, width) : [piece]));
    else lines[lines.length - 1] = joined;
  }
  return lines;
}
