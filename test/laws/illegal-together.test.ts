import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { KEY, serveScripted } from '../serve/scripted-source.ts';
import { macro } from '../support/run.ts';
import { addressOf, EACH, exampleOf, findingsOf, lineOf } from './wire.ts';

const { ask } = await serveScripted({ quotas: false });

interface Clash {
  readonly path?: RawArgs['path'];
  readonly query?: RawArgs['query'];
  /** The argument that is found wrong. */
  readonly loc: readonly string[];
}

/** Arguments that are legal each and wrong together, or wrong at this moment. See docs/interface.md#dates-and-times. */
function clashesOf({ at, query }: Endpoint): readonly Clash[] {
  const clashes: Clash[] = [];
  if (query.start_date && query.end_date)
    clashes.push({ query: { start_date: '2026-11-20', end_date: '2026-11-19' }, loc: ['query', 'start_date'] });
  if (query.start_time && query.end_time) {
    const end_time = '2026-11-20T12:00:00Z';
    clashes.push({ query: { start_time: '2026-11-20T12:00:01Z', end_time }, loc: ['query', 'start_time'] });
    clashes.push({ query: { start_time: '2026-10-20T11:59:59Z', end_time }, loc: ['query', 'start_time'] });
  }
  if (at.base && at.quote) clashes.push({ path: { base: 'EUR', quote: 'eur' }, loc: ['path', 'quote'] });
  if (query.start_tenor_years)
    clashes.push({ query: { start_tenor_years: '5', end_tenor_years: '5' }, loc: ['query', 'start_tenor_years'] });
  if (query.as_of) clashes.push({ query: { as_of: '2026-11-22' }, loc: ['query', 'as_of'] });
  return clashes;
}

/** The example without what would make the clash go away: one date beats a window. */
function questionOf(endpoint: Endpoint, { path, query }: Clash): RawArgs {
  const example = exampleOf(endpoint);
  const { date: _, ...others } = example.query;
  return { path: { ...example.path, ...path }, query: { ...others, ...query } };
}

const CLASHING = EACH.map(([id, endpoint]) => [id, endpoint, clashesOf(endpoint)] as const);

it('every rule over several arguments has a clash here', () => {
  const short = CLASHING.filter(([, { checks = [] }, clashes]) => clashes.length < checks.length);
  expect(short.map(([id]) => id)).toEqual([]);
});

describe.each(CLASHING.filter(([, , clashes]) => clashes.length > 0))(
  'what does not go together for %s',
  (_, endpoint, clashes) => {
    it.each(clashes.map((clash) => [clash.loc.join(' '), clash] as const))(
      'is found at %s by the terminal and the server, with the same words',
      async (_, clash) => {
        const question = questionOf(endpoint, clash);
        const findings = findingsOf(endpoint, question);
        expect(findings.map(({ loc, type }) => [...loc, type])).toEqual([[...clash.loc, 'value_error']]);
        const { status, json } = await ask(addressOf(endpoint, question), KEY);
        expect([status, json]).toEqual([422, { detail: findings }]);
        if (!endpoint.cli) return;
        const service = { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'k-test' };
        expect((await macro(lineOf(endpoint, question), { env: service })).code).toBe(2);
      },
    );
  },
);
