import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEY_VARIABLES } from '../../src/client/http/key.ts';
import { childEnv, execHandler, readVariableNames, SECRET_VARIABLES } from '../../src/events/handlers.ts';
import { nodeRun } from '../../src/platform/node.ts';
import { freshFolder } from '../support/platform.ts';
import { EVENT } from './event.ts';

const SECRETS = {
  MACRO_API_KEY: 'one',
  FXMACRODATA_API_KEY: 'two',
  FXMD_API_KEY: 'three',
  MACRO_WEBHOOK_SECRET: 'four',
  PGPASSWORD: 'five',
  MACRO_MIRROR: 'postgres://desk:six@db.example/macro',
};
const env = { PATH: process.env.PATH, DESK: 'rates', ...SECRETS };

/** What a command sees of its environment. */
async function seenBy(passed: readonly string[]): Promise<Record<string, string>> {
  const path = join(freshFolder(), 'env');
  const parts = { run: nodeRun, os: 'linux', longest: 20_000, env: childEnv({ env }, passed) } as const;
  await execHandler(`env > '${path}'`, { ...parts, hear: async () => undefined })(EVENT);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const all = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return Object.fromEntries(
    ['DESK', ...Object.keys(SECRETS)].flatMap((name) => (name in all ? [[name, all[name]]] : [])),
  );
}

describe('the environment of a command', () => {
  it('has no API key, no webhook secret and no password of a server', async () => {
    expect(await seenBy([])).toEqual({ DESK: 'rates' });
    const plain = { MACRO_MIRROR: 'postgres://desk@db.example/macro' };
    expect(childEnv({ env: plain }, [])).toEqual(plain);
  });

  it('has those that were named', async () => {
    expect(await seenBy(['MACRO_WEBHOOK_SECRET', 'FXMD_API_KEY', 'DESK'])).toEqual({
      DESK: 'rates',
      FXMD_API_KEY: 'three',
      MACRO_WEBHOOK_SECRET: 'four',
    });
  });

  it('has none in another spelling either, because Windows knows no case', () => {
    expect(childEnv({ env: { Macro_Api_Key: 'one', Path: 'x' } }, [])).toEqual({ Path: 'x' });
  });

  it('lacks every variable that a key is read from', () => {
    expect(SECRET_VARIABLES).toEqual([...KEY_VARIABLES, 'MACRO_WEBHOOK_SECRET', 'PGPASSWORD']);
  });
});

it.each(['', 'A,,B', 'MACRO_API_KEY=secret', '1A', 'A B'])(
  '%j is no list of variables, and is not repeated',
  (text) => {
    expect(() => readVariableNames(text)).toThrow('--exec-env takes names of variables, separated by commas.');
  },
);
