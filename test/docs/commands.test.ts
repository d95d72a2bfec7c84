import { describe, expect, it } from 'vitest';
import { documentPaths, readDocument } from '../../scripts/documents.mjs';
import { parseCommandLine } from '../../src/cli/parse/command-line.ts';
import { main } from '../../src/main.ts';
import { commandsIn, wordsOf } from './typed.ts';
import { inputOf, makeWorlds, type World } from './worlds.ts';

/** Commands that are parsed here and run elsewhere, each with its reason. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^macro (serve|stream|webhooks listen|demo)\b/, 'runs until it is ended, or starts servers: test/e2e'],
  [/^macro selftest\b/, 'kills programs of the build: test/e2e/selftest.test.ts'],
  [/^macro wait\b/, 'waits for a release: test/cli/wait.test.ts'],
  [/^macro schedule\b/, 'changes the scheduler of the machine: test/cli/schedule.test.ts, test/e2e/schedule.test.ts'],
  [/^macro auth move\b/, 'needs a key that is kept: test/cli/key-places.test.ts'],
  [/^macro (init|auth login)\b/, 'asks a person: test/cli/own-commands.test.ts'],
  [
    /^macro webhooks (create|list|show|update|enable|disable|delete|rotate-secret|deliveries)\b/,
    'needs a server that keeps subscriptions, or a public address: test/cli/webhooks.test.ts',
  ],
  [/^macro journal forget\b/, 'needs a consumer: test/cli/journal.test.ts'],
  [/^macro webhooks replay\b/, 'needs events that were set aside: test/cli/consuming.test.ts'],
  [/^macro webhooks trigger\b/, 'needs the mirror of a sandbox that is served: test/cli/webhooks-trigger.test.ts'],
  [/^macro webhooks verify --har\b/, 'needs a saved HAR file: test/cli/webhooks-verify.test.ts'],
  [
    /^macro (import (ecb|fred|alfred|nbp|treasury)( [A-Za-z]+)*( --(vintages|address).*)?$|doctor --publishers|track add ecb\b)/,
    'asks publishers, or has every later sync ask them: test/imports/fetch-flow.test.ts',
  ],
  [/^macro import undo\b/, 'takes rates away that other commands ask for: test/cli/import-undo.test.ts'],
  [/^macro import --watch\b/, 'watches a folder that is not there: test/cli/import-watch.test.ts'],
  [/^macro profile use\b/, 'needs a profile of its own: test/cli/own-commands.test.ts'],
  [/--mirror (rates\.db|postgres:)/, 'needs a second mirror: test/cli/mirror-upkeep.test.ts'],
  [
    /^macro mirror (compact|rebuild|backup|restore)\b/,
    'needs a file that nobody else has open: test/cli/mirror-upkeep.test.ts',
  ],
  [/^macro mirror prepare\b/, 'needs a server: test/mirror/postgres/servers.test.ts'],
  [/^macro mirror bind\b/, 'needs a service that has moved: test/cli/named-service.test.ts'],
];

/** Commands that are right to end with another code where they run here. */
const ENDS: Readonly<Record<string, readonly [code: number, why: string]>> = {
  'macro settlement verify record.json': [3, 'no mirror of a test has the key of this record'],
  'macro differential eur usd --as-of 2026-11-01 --availability mirrored': [
    3,
    'the mirror of a test is of this minute',
  ],
};

const typed = [...new Set(documentPaths().flatMap((path) => commandsIn(readDocument(path))))];
const run = typed.filter((line) => !NOT_RUN.some(([pattern]) => pattern.test(line)));

describe('a command in a document', () => {
  it.each(typed)('%s parses', async (line) => {
    expect(await parseCommandLine(wordsOf(line), 80)).toHaveProperty('spec');
  });

  it('works on one of three machines', async () => {
    const worlds = await makeWorlds();
    const failed: string[] = [];
    for (const line of run) failed.push(...(await failuresOf(line, worlds)));
    expect(failed).toEqual([]);
    expect(run.length).toBeGreaterThan(150);
    // Hundreds of commands: a busy machine needs minutes for them.
  }, 600_000);

  it('is left out for a reason that still holds for one', () => {
    expect(NOT_RUN.filter(([pattern]) => !typed.some((line) => pattern.test(line)))).toEqual([]);
    expect(Object.keys(ENDS).filter((line) => !typed.includes(line))).toEqual([]);
  });
});

/** How a command ended on each machine, where it worked on none. */
async function failuresOf(line: string, worlds: readonly World[]): Promise<readonly string[]> {
  const ends: string[] = [];
  for (const { name, world } of worlds) {
    const { platform } = world;
    const before = world.err().length;
    const stdin = { ...platform.io.stdin, readBytes: async () => Buffer.from(inputOf(line)) };
    const code = await main(wordsOf(line), { ...platform, io: { ...platform.io, stdin } });
    if (code === (ENDS[line]?.[0] ?? 0)) return [];
    ends.push(`${line}: exit ${code} on the machine '${name}': ${world.err().slice(before)}`);
  }
  return ends;
}

describe('the commands of a text', () => {
  it('are those of its shell blocks, without what stands around them', () => {
    const text = [
      'Type `macro no`.',
      '```sh',
      'macro sync --plan    # what it costs',
      'macro wait usd inflation && ./trade.sh',
      "echo 'a | b' | macro sql - --format json",
      'macro import ecb - < rates.csv',
      'sqlite3 "$(macro mirror path)" \'select 1\'',
      '# macro no',
      '```',
    ].join('\n');
    expect(commandsIn(text)).toEqual([
      'macro sync --plan',
      'macro wait usd inflation',
      'macro sql - --format json',
      'macro import ecb -',
      'macro mirror path',
    ]);
    expect(wordsOf(`macro sql "a b" --x='c d'`)).toEqual(['sql', 'a b', '--x=c d']);
  });
});
