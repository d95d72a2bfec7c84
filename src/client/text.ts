const MAX_LINE_CHARACTERS = 400;

/** Remote text as it may stand in a message: one line, no control or direction characters, of bounded length. */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE_CHARACTERS + 1);
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}

/** A remote sentence, closed with a full stop so that ours may follow. */
export function sentence(text: string): string {
  const line = oneLine(text);
  return /[.!?\u2026]$/.test(line) ? line : `${line}.`;
}

/** Seconds as a person says them: `47 s`, `14 min`, `18 h 14 min`, `9 d 18 h`. */
export function waitText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  if (minutes < 120) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.ceil(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
