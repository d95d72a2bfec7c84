import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isServerAddress } from '../../src/mirror/rules/engine.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { listeningSandbox } from '../support/listening.ts';
import { freshFolder } from '../support/platform.ts';
import { inRounds, LONGEST_MS } from './rounds.ts';
import { ENGINES, inPlace, soundHash } from './world.ts';

const WORDS = 'fx eur usd, announcements usd inflation, calendar usd, commodities gold, press usd, sentiment changes';

beforeAll(ensureBuilt);

/** Starts the built program, with a quota of its own: what a killed one had reserved keeps nobody waiting. */
function startSync(origin: string, mirror: string) {
  const words = ['sync', ...WORDS.split(' '), '--quiet', '--mirror', mirror, '--base-url', origin];
  const env = { MACRO_HOME: freshFolder(), MACRO_API_KEY: 'k-test' };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  return { child, ended };
}

/** Kills of a round, each of the same mirror. */
const KILLS = 4;

describe.each(ENGINES)('the program on $name, killed at random moments', (engine) => {
  it.skipIf(engine.isMissing)('holds in the end what an uninterrupted one holds', { timeout: LONGEST_MS }, async () => {
    const { origin, answered } = await listeningSandbox();
    const expected = await inPlace(engine, async (place) => {
      expect(await startSync(origin, place).ended).toBe(0);
      return soundHash(place);
    });
    await inRounds(`killed at random, ${engine.name}`, 1, (round) =>
      inPlace(engine, async (place) => {
        let struck = 0;
        for (let kill = 0; kill < KILLS; kill += 1) {
          const { child, ended } = startSync(origin, place);
          const answers = 1 + round.below(8);
          const turns = round.below(300);
          let seen = 0;
          const strike = async () => {
            seen += 1;
            if (seen !== answers) return;
            for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
            // Suspended for a moment and then killed, as a laptop that sleeps and never wakes.
            if (round.below(3) === 0) child.kill('SIGSTOP');
            child.kill('SIGKILL');
          };
          answered.on('one', strike);
          if ((await ended) === 'SIGKILL') struck += 1;
          answered.off('one', strike);
          if (isServerAddress(place) || existsSync(place)) await soundHash(place);
        }
        // Where most of them end by themselves, nothing is shown.
        expect(struck).toBeGreaterThan(KILLS / 2);
        round.count('kills', struck);
        expect(await startSync(origin, place).ended).toBe(0);
        expect(await soundHash(place)).toBe(expected);
      }),
    );
  });
});
