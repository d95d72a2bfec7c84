import type { Endpoint } from '../../../src/contract/endpoint.ts';
import type { Json } from '../../../src/contract/json/json.ts';
import type { RawArgs } from '../../../src/contract/params/param.ts';
import { readParams, takesMoment } from '../../../src/contract/params/read-params.ts';
import { exampleOf } from '../../laws/wire.ts';
import { TEST_NOW } from '../../support/platform.ts';
import { legalValues, PINS } from './legal-values.ts';

/** Whom a question is about: the currency that needs no key, and one that does. */
export const SUBJECTS = ['USD', 'EUR'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The endpoint's example, about a currency where there is one to choose. */
export function exampleAbout(endpoint: Endpoint, subject: Subject, eventId = ''): RawArgs {
  const { path, query } = exampleOf(endpoint);
  const chosen: Record<string, string> = {};
  if (endpoint.at.currency) chosen.currency = subject;
  if (endpoint.at.contract_id) chosen.contract_id = `${subject.toLowerCase()}_inflation_threshold`;
  if (endpoint.at.archive_event_id) chosen.archive_event_id = eventId;
  if (endpoint.at.base) Object.assign(chosen, { base: subject, quote: subject === 'USD' ? 'JPY' : 'GBP' });
  const { narrows } = endpoint.access;
  return { path: { ...path, ...chosen }, query: { ...query, ...(narrows && { [narrows]: subject.toLowerCase() }) } };
}

/** True where the endpoint can be asked about another currency. */
export function hasSubject(endpoint: Endpoint): boolean {
  const { currency, contract_id: contract, base } = endpoint.at;
  return [currency, contract, base].some(Boolean) || endpoint.access.narrows !== undefined;
}

/** A question with nothing but what it cannot do without. */
export function bareQuestion(endpoint: Endpoint, { path, query }: RawArgs): RawArgs {
  const demanded = (endpoint.demands ?? []).map(({ param }) => param);
  const { narrows } = endpoint.access;
  const needed = (name: string) => endpoint.query[name]?.required || demanded.includes(name) || name === narrows;
  return { path, query: Object.fromEntries(Object.entries(query).filter(([name]) => needed(name))) };
}

/**
 * Further questions of an endpoint: each parameter at legal values, and all of them that fit together. `told` is the answer
 * to the bare question.
 */
export function questionsOf(endpoint: Endpoint, bare: RawArgs, told: Json): readonly RawArgs[] {
  const asked = (query: RawArgs['query']): RawArgs => ({ path: bare.path, query: { ...bare.query, ...query } });
  const legal = Object.entries(endpoint.query).map(
    ([name, param]) => [name, legalValues(name, param, told, endpoint)] as const,
  );
  const first = (wanted: string) => legal.find(([name]) => name === wanted)?.[1][0];
  // A cursor goes with the checkpoint that was minted with it; to whom something was known, with a moment.
  const beside = (name: string) => {
    if (name === 'cursor') return { checkpoint: first('checkpoint') };
    return name === 'availability' && endpoint.query.as_of ? { as_of: first('as_of') } : {};
  };
  const alone = legal.flatMap(([name, values]) => values.map((value) => asked({ ...beside(name), [name]: value })));
  const together = legal.reduce<RawArgs>((all, [name, [value]]) => {
    if (PINS.includes(name) || value === undefined) return all;
    const more = { path: all.path, query: { ...all.query, [name]: value } };
    return isLegal(endpoint, more) ? more : all;
  }, bare);
  return [bare, ...alone, together].filter((one) => isLegal(endpoint, one));
}

function isLegal(endpoint: Endpoint, raw: RawArgs): boolean {
  // The contract lets the moment win over a date; the terminal refuses both together, since the answer is of another day.
  const { date, as_of: moment, availability } = raw.query;
  if (takesMoment(endpoint) && moment !== undefined && date !== undefined) return false;
  // It also refuses to say to whom something was known at a moment that is not given.
  if (takesMoment(endpoint) && moment === undefined && availability !== undefined) return false;
  try {
    readParams(endpoint, raw, { mode: 'strict', now: TEST_NOW });
    return true;
  } catch {
    return false;
  }
}
