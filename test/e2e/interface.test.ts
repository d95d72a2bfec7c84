import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { EACH, lineOf } from '../laws/wire.ts';
import { testPlatform } from '../support/platform.ts';
import { PROVES } from '../support/properties.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { prove } from './interface/proof.ts';
import { bareQuestion, exampleAbout, hasSubject, questionsOf, type Subject } from './interface/questions.ts';
import { machine } from './interface/world.ts';

/** Of so many questions one is asked; each of them with `npm run prove`. */
const STRIDE = PROVES ? 1 : 84;

const KEY = 'k-test';

async function world() {
  const { platform } = testPlatform();
  const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
  /** An event that the sandbox has. */
  const eventOf = async (currency: string): Promise<string> => {
    const address = `${SERVICE_URL}/v1/calendar/${currency}/snapshot?as_of=2026-11-20`;
    const answer = await fetch(address, { headers: { 'x-api-key': KEY } });
    return JSON.parse(await answer.text()).data[0].archive_event_id;
  };
  const questions = async (
    endpoint: Endpoint,
    subject: Subject,
    key: string | undefined,
  ): Promise<readonly RawArgs[]> => {
    const example = exampleAbout(endpoint, subject, endpoint.at.archive_event_id ? await eventOf(subject) : '');
    const bare = bareQuestion(endpoint, example);
    const { body } = await machine(fetch, key).run(lineOf(endpoint, bare));
    return questionsOf(endpoint, bare, body ?? null);
  };
  return { fetch, questions };
}

const CASES = EACH.flatMap(([id, endpoint]) => {
  const subjects: readonly Subject[] = hasSubject(endpoint) ? ['USD', 'EUR'] : ['USD'];
  return subjects.flatMap((subject) => [KEY, undefined].map((key) => ({ id, endpoint, subject, key })));
});

/**
 * Every so many questions, in another place for each subject and caller. The first one is the plainest and the last the fullest:
 * the first caller asks both, and each other one of them.
 */
function sample(questions: readonly RawArgs[], turn: number): readonly RawArgs[] {
  const last = questions.length - 1;
  const ends = PROVES || turn === 0 ? [0, last] : [turn < 3 ? last : 0];
  return questions.filter((_, i) => ends.includes(i) || (i + turn) % STRIDE === 0);
}

describe.each(EACH)('%s', (id) => {
  it.each(
    CASES.filter((one) => one.id === id).map(
      (one, turn) => [one.subject, one.key ? 'a key' : 'no key', one, turn] as const,
    ),
  )(
    'about %s with %s is told the same by the service and by a mirror, with all its parameters',
    async (_, __, { endpoint, subject, key }, turn) => {
      const { fetch, questions } = await world();
      const synced = machine(fetch, key);
      const findings: string[] = [];
      for (const raw of sample(await questions(endpoint, subject, key), turn))
        findings.push(...(await prove({ endpoint, raw, key }, fetch, synced)));
      expect(findings).toEqual([]);
    },
    120_000,
  );
});
