/** Characters of a piece, about: few writes are made, and little is held. */
const PIECE_CHARACTERS = 65_536;

/** Lines put together as far as a write is worth it. */
export function* joinLines(lines: Iterable<string>): Generator<string> {
  let waiting: string[] = [];
  let length = 0;
  for (const line of lines) {
    waiting.push(line);
    length += line.length;
    if (length < PIECE_CHARACTERS) continue;
    yield waiting.join('');
    waiting = [];
    length = 0;
  }
  if (length > 0) yield waiting.join('');
}
