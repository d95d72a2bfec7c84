/** Commands of ours in the shell blocks of a document, as they are typed, without what stands around them. */
export function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n').flatMap(commandsOf));
}

/** The commands of a line: what stands behind a pipe or another sign of the shell is a command of its own. */
function commandsOf(line: string): readonly string[] {
  const nested = [...line.matchAll(/\$\((macro [^)]*)\)/g)].map(([, inner = '']) => inner);
  const parts = pieces(line.replace(/\$\([^)]*\)/g, 'X'));
  return [...parts, ...nested].map((part) => part.trim()).filter((part) => /^macro /.test(part));
}

/** A line cut at `|`, `||`, `&&` and `<`, up to its comment. What is quoted is one text. */
function pieces(line: string): readonly string[] {
  const found = [''];
  for (const [token] of line.matchAll(/'[^']*'|"[^"]*"|\s#.*$|^#.*$|\|\|?|&&|<|[^'"|&<\s]+|\s+|./g)) {
    if (/^\s?#/.test(token)) break;
    if (/^(\|\|?|&&)$/.test(token)) found.push('');
    else if (token === '<') found.push('<');
    else found.push((found.pop() ?? '') + token);
  }
  return found;
}

/** The words behind `macro`, as a shell hands them over. */
export function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
  return words.slice(1);
}
