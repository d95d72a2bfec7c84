import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/parse/command-line.ts';

const src = join(import.meta.dirname, '../../src');

/** Words with which a sentence goes on: what stands before them is what one types. */
const PROSE = new Set(
  (
    'lists shows chooses makes tells says brings prints checks adds gives puts does needs takes did once keeps has ' +
    'asks last listens writes by up or and to with at this since in it is there ends'
  ).split(' '),
);

/** A sentence about a command, which does not tell to type it. */
const ABOUT = /^(needs|takes|is|did|ends|last|listens|prints the)\b/;

/** Where the name stands for something else: a generator, a lock, the language of a script, a cell of a document. */
const NO_COMMAND =
  /^(for (bash|zsh|fish|PowerShell)|as \$|cannot|serves|completion'\)|consumer |migrate |mirror export',$|shown -M|(config set|track add)`')/;

/** What a reader puts in the place of the words in capitals. */
const PUT: Readonly<Record<string, string>> = { CCY: 'usd', FILE: 'file', ID: 'sub_1', NAME: 'work', URL: 'https://a' };

interface Named {
  readonly file: string;
  readonly line: readonly string[];
}

function sources(folder = src): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function namedIn(path: string): readonly Named[] {
  const code = readFileSync(path, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const texts = [...code.matchAll(/(?<![\w/-])macro (?=[a-z])(.*)/g)].map(([, text = '']) => text);
  return texts
    .flatMap((text) => [text, ...othersIn(text)])
    .flatMap((text) => {
      const line = NO_COMMAND.test(text) ? undefined : typedOf(text);
      return line ? [{ file: relative(src, path), line }] : [];
    });
}

/** A line may name several commands; `.` matches to its end, so the later ones stand within the first. */
const othersIn = (text: string) =>
  [...text.matchAll(/(?<![\w/-])macro (?=[a-z])/g)].map(({ index }) => text.slice(index + 'macro '.length));

/** The words up to where the text, the sentence or the command in it ends. */
function typedOf(text: string): readonly string[] | undefined {
  const words: string[] = [];
  for (const match of text.matchAll(/\$\{[^}]*\}|'[^']*'(?= )|[^\s`'$]+/g)) {
    const [word] = match;
    if (PROSE.has(word)) return ABOUT.test(text.slice(match.index)) ? undefined : words;
    const bare = word.replace(/(<\/code>)?[.,:;)]*$/, '');
    if (bare !== '') words.push(PUT[bare] ?? bare);
    const next = text[match.index + word.length];
    if (bare !== word || next === '`' || next === "'") return words;
  }
  return words;
}

/** What is wrong with a command as it stands; nothing where it can be typed. */
async function faultOf(line: readonly string[]): Promise<string | undefined> {
  try {
    const parsed = await parseCommandLine(line, 100);
    if ('help' in parsed) return line.includes('--help') ? undefined : 'leads to other words only';
    const needed = parsed.spec.words.filter(({ optional }) => !optional);
    return parsed.call.words.length < needed.length ? 'leaves out words' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const NAMED = sources().flatMap(namedIn);

describe('a command that a message names', () => {
  it('is found in the texts', () => {
    expect(NAMED.length).toBeGreaterThan(120);
  });

  it('can be typed as it stands', async () => {
    const faults = await Promise.all(
      NAMED.map(async ({ file, line }) => {
        const fault = await faultOf(line);
        return fault === undefined ? [] : [`${file}: macro ${line.join(' ')}: ${fault}`];
      }),
    );
    expect(faults.flat()).toEqual([]);
  });
});
