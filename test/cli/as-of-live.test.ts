import { describe, expect, it } from 'vitest';
import { parseObject } from '../../src/contract/json/json.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const MOMENT = '2026-09-10T00:00:00Z';

/** Asks a service live, whose requests and answers may be changed on the way. */
async function asked(
  line: string,
  change: { readonly url?: (url: URL) => void; readonly body?: (text: string) => string } = {},
) {
  const at = testPlatform();
  const service = await serviceOver(await sandboxMirror(at.platform), at.platform);
  const sent: string[] = [];
  const { code, out, err } = await macro(
    `${line} --live --base-url ${SERVICE_URL} --format json`,
    testPlatform({
      env: { MACRO_API_KEY: 'k-test-0123456789' },
      async fetch(url, init) {
        sent.push(url);
        const address = new URL(url);
        change.url?.(address);
        const answer = await service.fetch(address.toString(), init);
        return change.body ? new Response(change.body(await answer.text())) : answer;
      },
    }),
  );
  return { code, out, err, sent };
}

/** A service that does not know the parameter. */
const ignoring = { url: (url: URL) => url.searchParams.delete('as_of') };

describe('a live answer as of a moment', () => {
  it.each([
    'announcements usd inflation',
    'announcements latest usd inflation',
    'announcements usd inflation --availability captured',
    'curve usd',
    'curve usd --view forwards',
    'predictions usd inflation',
  ])('%s is printed by a service that holds to it, and refused where it knew more', async (words) => {
    const line = `${words} --as-of ${MOMENT}`;
    const honest = await asked(line);
    expect([honest.code, honest.out.length > 0], honest.err).toEqual([0, true]);
    const { code, out, err, sent } = await asked(line, ignoring);
    expect([code, out, sent.length]).toEqual([7, '', 1]);
    expect(err).toMatch(/does not name its moment|was not known|another moment|made after/);
  });

  it.each(['announcements usd inflation', 'curve usd', 'predictions usd inflation'])(
    '%s is refused where the service names the moment and shows rows of later ones',
    async (words) => {
      const at = Date.parse(MOMENT) / 1000;
      const moment = { as_of: MOMENT, replay: { as_of: MOMENT, availability: 'public' } };
      const named = (text: string) => JSON.stringify({ ...parseObject(text), ...moment });
      const { code, err } = await asked(`${words} --as-of ${at}`, { ...ignoring, body: named });
      expect([code, err.includes('at the moment asked for') || err.includes('after the moment')]).toEqual([7, true]);
    },
  );

  it('of a schedule may have releases that were ahead', async () => {
    const { code, out } = await asked(`calendar snapshot usd --as-of ${MOMENT}`);
    expect([code, out.includes('announcement_datetime')]).toEqual([0, true]);
  });

  it.each(['announcements latest usd', 'fx eur usd', 'calendar usd', 'cot eur', 'commodities gold', 'sentiment'])(
    '%s has none: it is refused before anything is sent',
    async (words) => {
      const { code, err, sent } = await asked(`${words} --as-of ${MOMENT}`);
      expect([code, sent]).toEqual([2, []]);
      expect(err).toContain('as_of_not_served');
    },
  );
});
