import { describe, expect, it } from 'vitest';
import { documentPaths, readDocument } from '../../scripts/documents.mjs';
import { parseCommandLine } from '../../src/cli/program.ts';
import { commandsIn, wordsOf } from './typed.ts';

const typed = [...new Set(documentPaths().flatMap((path) => commandsIn(readDocument(path))))];

describe('a command in a document', () => {
  it.each(typed)('%s parses', (line) => {
    expect(parseCommandLine(wordsOf(line), 80)).toHaveProperty('spec');
  });
});
