import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeKeys } from '../../derive/settlement/contracts.ts';

export default c.defineEndpoint({
  id: 'settlement_keys',
  path: '/v1/settlement/keys',
  group: 'settlement',
  at: {},
  access: { class: 'public' },
  body: c.listAt('keys'),
  row: s.object({
    key_id: s.string('ed25519- and 16 hex digits of the SHA-256 of the raw key'),
    algorithm: s.string('Ed25519'),
    public_key: s.string('the raw 32 bytes in standard base64'),
    'jwk?': s.object({ kty: s.string(), crv: s.string(), x: s.string(), 'kid?': s.string() }),
    status: s.string('active or retired'),
    'valid_from?': s.dateTime(),
    'valid_until?': s.nullable(s.dateTime()),
  }),
  envelope: s.object({ count: s.integer() }),
  provisional: 'members of a key',
  fresh: 86_400,
  mirror: c.wholeList({ table: 'settlement_keys', key: [c.textField('key_id')] }),
  compose: composeKeys,
  cli: {
    words: ['settlement', 'keys'],
    columns: ['key_id', 'algorithm', 'status', 'valid_from', 'valid_until'],
    examples: ['settlement keys', 'settlement keys --format json'],
  },
  doc: { summary: 'Public keys that settlement records are signed with', example: {} },
});
