import { describe, expect, it } from 'vitest';
import { isAnsweredByClock } from '../../src/contract/capabilities.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { PAGING_NAMES } from '../../src/contract/paging.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import type { Param } from '../../src/contract/params/params.ts';
import { KEY, serveScripted } from '../serve/scripted-source.ts';
import { macro } from '../support/run.ts';
import { addressOf, EACH, exampleOf, findingsOf, lineOf } from './wire.ts';

const { ask } = await serveScripted({ quotas: false });

/** A raw value and the type of what is found wrong with it. See docs/interface-access.md#errors. */
type Illegal = readonly [raw: string, type: string];

/** Illegal values of every kind of parameter; a new kind has to be added here. */
const ILLEGAL: Readonly<Record<string, (schema: Param['schema']) => readonly Illegal[]>> = {
  currency: () => [
    ['', 'string_pattern_mismatch'],
    ['u5d', 'string_pattern_mismatch'],
  ],
  slug: () => [
    ['', 'string_pattern_mismatch'],
    ['no-slug', 'string_pattern_mismatch'],
  ],
  choice: () => [
    ['', 'enum'],
    ['no_such_word', 'enum'],
  ],
  choices: () => [
    ['', 'enum'],
    ['all,no_such_word', 'enum'],
  ],
  // Any list of words is legal: what is no code is one that nobody has.
  words: () => [],
  date: () => [
    ['', 'date_from_datetime_parsing'],
    ['2026-02-30', 'date_from_datetime_parsing'],
    ['x', 'date_from_datetime_parsing'],
  ],
  period: () => [
    ['', 'date_from_datetime_parsing'],
    ['2026-02-30', 'date_from_datetime_parsing'],
    ['newest', 'date_from_datetime_parsing'],
  ],
  instant: () => [
    ['', 'value_error'],
    ['2026-11-21T25:00:00Z', 'value_error'],
    ['x', 'value_error'],
  ],
  instants: () => [
    ['', 'value_error'],
    ['2026-11-20,x', 'value_error'],
  ],
  series: () => [
    ['', 'value_error'],
    ['inflation', 'value_error'],
  ],
  integer: ({ minimum, maximum }) => [
    ['', 'int_parsing'],
    ['x', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ...(typeof minimum === 'number' ? [[String(minimum - 1), 'greater_than_equal'] as const] : []),
    ...(typeof maximum === 'number' ? [[String(maximum + 1), 'less_than_equal'] as const] : []),
  ],
  decimal: ({ exclusiveMinimum: above }) => [
    ['', 'float_parsing'],
    ['x', 'float_parsing'],
    ...(typeof above === 'number' ? [[String(above), 'greater_than'] as const] : []),
  ],
  boolean: () => [
    ['', 'bool_parsing'],
    ['maybe', 'bool_parsing'],
  ],
  text: ({ maxLength, pattern }) => [
    ['', 'string_too_short'],
    ['x'.repeat(Number(maxLength) + 1), 'string_too_long'],
    ...(typeof pattern === 'string' ? [['?', 'string_pattern_mismatch'] as const] : []),
  ],
  zone: () => [
    ['', 'value_error'],
    ['Mars/Olympus', 'value_error'],
  ],
};

interface Case {
  readonly place: 'path' | 'query';
  readonly name: string;
  readonly raw: string;
  readonly type: string;
  /** The example with the illegal value in its place. */
  readonly question: RawArgs;
  /** A malformed word of a table is no such thing to the service, and a finding to the terminal. */
  readonly isUnknown: boolean;
}

function casesOf(endpoint: Endpoint): readonly Case[] {
  const { path, query } = exampleOf(endpoint);
  const places = [...Object.entries(endpoint.at), ...Object.entries(endpoint.query)];
  return places.flatMap(([name, param]) => {
    const place = name in endpoint.at ? 'path' : 'query';
    const isUnknown = place === 'path' && param.member?.unknown === 404 && !param.member.formed;
    return (ILLEGAL[param.kind]?.(param.schema) ?? [['', `no law for the kind ${param.kind}`] as const])
      .filter(([raw]) => place === 'query' || raw !== '')
      .map(([raw, type]) => {
        const question =
          place === 'path' ? { path: { ...path, [name]: raw }, query } : { path, query: { ...query, [name]: raw } };
        return { place, name, raw, type, question, isUnknown };
      });
  });
}

/** A limit above one page walks pages on a terminal. Command line, table of options. */
const isWalked = ({ name, type }: Case) => name === 'limit' && type === 'less_than_equal';
const SERVICE = { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'k-test' };

describe.each(EACH)('illegal values of %s', (_, endpoint) => {
  const cases = casesOf(endpoint);

  it('are found by the terminal’s reading and by the server, with the same words', async () => {
    const expected = cases.map(({ place, name, raw, type, isUnknown }) => ({
      read: [[place, name, type, raw]],
      status: isUnknown ? 404 : 422,
      same: true,
    }));
    const told = await Promise.all(
      cases.map(async ({ question, isUnknown }) => {
        const findings = findingsOf(endpoint, question);
        const { status, json } = await ask(addressOf(endpoint, question), KEY);
        const { detail, code } = json as { detail: unknown; code?: string };
        const same = isUnknown ? /^unknown_/.test(code ?? '') : JSON.stringify(detail) === JSON.stringify(findings);
        return { read: findings.map(({ loc, type, input }) => [...loc, type, input]), status, same };
      }),
    );
    expect(told).toEqual(expected);
  });

  it('leave the terminal with exit 2, before any request', async () => {
    if (!endpoint.cli) return;
    const lines = cases.filter((one) => !isWalked(one)).map(({ question }) => lineOf(endpoint, question));
    const told: (readonly [string, number, boolean])[] = [];
    for (const line of lines) {
      const { code, err } = await macro(line, { env: SERVICE });
      told.push([line, code, /unknown option/i.test(err)]);
    }
    expect(told).toEqual(lines.map((line) => [line, 2, false]));
  });

  it('are all that is wrong: the example itself is asked', async () => {
    if (!endpoint.cli) return;
    const { code } = await macro(lineOf(endpoint, exampleOf(endpoint)), { env: SERVICE });
    expect(code).toBe(isAnsweredByClock(endpoint) ? 0 : 6);
  });

  it('include leaving out what is required', async () => {
    const { path, query } = exampleOf(endpoint);
    const required = Object.keys(endpoint.query).filter((name) => endpoint.query[name]?.required);
    for (const name of required) {
      const question = { path, query: { ...query, [name]: undefined } };
      const findings = findingsOf(endpoint, question);
      const { status, json } = await ask(addressOf(endpoint, question), KEY);
      expect([findings.map(({ loc, type }) => [...loc, type]), status]).toEqual([[['query', name, 'missing']], 422]);
      expect(json).toEqual({ detail: findings });
    }
  });
});

it('the paging parameters are those that the law knows', () => {
  const names = EACH.flatMap(([, { query }]) => Object.keys(query)).filter((name) => PAGING_NAMES.has(name));
  expect([...new Set(names)].sort()).toEqual([
    'after_sequence',
    'before_id',
    'checkpoint',
    'cursor',
    'dataset_version',
    'limit',
    'offset',
    'page',
    'since',
  ]);
});
