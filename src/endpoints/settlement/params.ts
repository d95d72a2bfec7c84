import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import type { OutcomeComparison } from '../../derive/settlement/templates.ts';
import { isKeptByReaders } from '../../derive/settlement/verify.ts';

const COMPARISONS = ['gt', 'gte', 'lt', 'lte', 'eq'] as const;

/** Last day of a reference period, or the newest readable period. */
export const period: c.Param<string, true> = c.withDefault(periodParam(), 'latest');

function periodParam(): c.Param<string, true> {
  const day = c.dateParam('last day of the reference period, or latest');
  return {
    ...day,
    kind: 'period',
    words: ['latest'],
    schema: {
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', enum: ['latest'] },
      ],
    },
    decode: (raw) => (raw === 'latest' ? { value: raw } : day.decode(raw)),
  };
}

/** The record that names it is signed, so it has to be a number that every JSON reader keeps digit by digit. */
export const strike = c.optional(strikeValue());

function strikeValue(): c.Param<number, true> {
  const number = c.decimal('value that the settlement value is compared with');
  return {
    ...number,
    decode(raw) {
      const read = number.decode(raw);
      if (!('value' in read) || (isKeptByReaders(plainSpelling(raw)) && isKeptByReaders(String(read.value))))
        return read;
      return {
        fault: { type: 'value_error', msg: 'Value error, input should be a number with at most 15 digits' },
      };
    },
  };
}

/** A spelling as JSON has it: without sign of plus, and with digits on both sides of the point. */
function plainSpelling(raw: string): string {
  return raw
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|$)/i, '');
}

/** How the settlement value is compared with the strike. */
export function comparison(doc: string): c.Param<OutcomeComparison, true> {
  const { decode, ...rest } = c.choice(doc, COMPARISONS);
  // `choice` lets nothing but its words through.
  return { ...rest, decode } as c.Param<OutcomeComparison, true>;
}

/** A contract id, in any letter case; lower-cased. */
export function contractId(doc: string): c.Param<string, true> {
  const word = c.textParam(doc, { max: 120, pattern: /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/ });
  return {
    ...word,
    decode(raw) {
      const read = word.decode(raw);
      return 'value' in read ? { value: read.value.toLowerCase() } : read;
    },
  };
}

/** The members of a settlement record. See docs/interface-events.md#settlement. */
export const RECORD = {
  record_version: s.string(),
  'contract_id?': s.string('the template that was settled'),
  currency: s.string(),
  indicator: s.string(),
  'name?': s.string(),
  'unit?': s.string(),
  'publisher?': s.string(),
  'source_url?': s.string(),
  period: s.date('last day of the reference period'),
  status: s.oneOf('settled', 'void'),
  precision: s.integer('printed decimals'),
  'first_print?': s.object({ val: s.number(), announcement_datetime: s.dateTime() }, 'never changes'),
  'settlement_value?': s.number('the first print, rounded half away from zero'),
  'latest_value?': s.nullable(s.number('the value as it stands now')),
  'revised?': s.boolean('the value differs from its first print'),
  release_timing: s.object({
    'scheduled_at?': s.dateTime(),
    'published_after?': s.dateTime(),
    'published_by?': s.dateTime(),
    'ingested_at?': s.dateTime(),
    'latency_ms?': s.nullable(s.number('ingested_at - published_by; null when it was not measured')),
    latency_status: s.oneOf('measured', 'not_measured'),
  }),
  'outcome?': s.object({
    'strike?': s.number(),
    'comparison?': s.oneOf(...COMPARISONS),
    'resolves_yes?': s.boolean(),
    'decision?': s.oneOf('hike', 'hold', 'cut'),
    'change_bps?': s.number('basis points'),
    'previous_value?': s.number(),
    'target_range?': s.object({ lower: s.number(), upper: s.number() }),
  }),
  'attestation?': s.object(
    {
      canonicalization: s.string('RFC8785: of the record without this member'),
      sha256: s.string('hex digest of the canonical bytes'),
      'algorithm?': s.string('Ed25519, over the bytes themselves'),
      'key_id?': s.string(),
      'signature?': s.string('standard base64'),
      'signed_at?': s.dateTime('not covered by the signature'),
    },
    'who vouches for the record',
  ),
} as const;
