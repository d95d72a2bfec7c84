import { describe, expect, it } from 'vitest';
import { checkBody } from '../../src/contract/params/post.ts';
import subscription from '../../src/endpoints/events/subscription.ts';
import subscriptions from '../../src/endpoints/events/subscriptions.ts';
import { MacroError } from '../../src/errors.ts';

const URL_OK = 'https://hooks.example.com/in';

/** What is wrong with a body: place and type, as the service's 422 lists it. */
function findings(verb: 'post' | 'patch', body: unknown): readonly string[] {
  const write = verb === 'post' ? subscriptions.writes?.post : subscription.writes?.patch;
  if (!write?.body) throw new Error('no body');
  try {
    checkBody(write.body, body);
    return [];
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    expect([error.kind, error.status]).toEqual(['usage', 422]);
    return error.findings.map(({ loc, type }) => `${loc.join('.')} ${type}`);
  }
}

// See docs/interface-events.md#webhook-subscriptions.
describe('the body of a new subscription', () => {
  it.each([
    [{ url: URL_OK }],
    [{ url: URL_OK, events: ['announcement'], currencies: ['USD', 'eur'], indicators: null, description: null }],
    [{ url: 'http://not-https', description: 'x'.repeat(256) }],
    [{ url: `https://h.example/${'x'.repeat(2030)}` }],
  ])('may be %j', (body) => {
    expect(findings('post', body)).toEqual([]);
  });

  it.each([
    [{}, ['body.url missing']],
    [{ url: 3 }, ['body.url value_error']],
    [{ url: `https://h.example/${'x'.repeat(2031)}` }, ['body.url string_too_long']],
    [{ url: URL_OK, events: [] }, ['body.events value_error']],
    [{ url: URL_OK, events: ['gap'] }, ['body.events.0 enum']],
    [{ url: URL_OK, currencies: [] }, ['body.currencies value_error']],
    [{ url: URL_OK, currencies: ['us'] }, ['body.currencies.0 string_pattern_mismatch']],
    [{ url: URL_OK, indicators: 'inflation' }, ['body.indicators list_type']],
    [{ url: URL_OK, description: 'x'.repeat(257) }, ['body.description string_too_long']],
    [{ url: URL_OK, status: 'active' }, ['body.status extra_forbidden']],
    [
      { description: 1, secret: 'x' },
      ['body.url missing', 'body.description value_error', 'body.secret extra_forbidden'],
    ],
    [[], ['body value_error']],
  ])('is refused as %j', (body, told) => {
    expect(findings('post', body)).toEqual(told);
  });
});

describe('the body of a change', () => {
  it('takes any of the members, and status', () => {
    expect(findings('patch', {})).toEqual([]);
    expect(findings('patch', { status: 'disabled', currencies: null })).toEqual([]);
  });

  it('refuses an unknown member and an unknown status', () => {
    expect(findings('patch', { status: 'paused', nmae: 'x' })).toEqual([
      'body.status enum',
      'body.nmae extra_forbidden',
    ]);
  });
});
