/** Words as a POSIX shell splits them, with the quotes '...', "..." and $'...'. */
export function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  const token =
    /\\\r?\n|\s+|\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\$]+|\$)/g;
  for (const [whole, escaped, single, double, one, plain] of text.matchAll(token)) {
    const part =
      escaped !== undefined ? plainOf(escaped) : (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? one ?? plain);
    if (part !== undefined) word = (word ?? '') + part;
    else if (!whole.startsWith('\\')) {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function plainOf(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, unicode, hex, one) =>
    one === undefined ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)) : (named[one] ?? one),
  );
}
