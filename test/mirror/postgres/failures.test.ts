import { expect, it } from 'vitest';
import { translatingServer } from '../../../src/mirror/postgres/failures.ts';

/** Error codes: https://www.postgresql.org/docs/15/errcodes-appendix.html; those in words are of the network. */
it.each([
  ['55P03', 'mirror_locked'],
  ['40P01', 'mirror_locked'],
  ['40001', 'mirror_locked'],
  ['53300', 'mirror_locked'],
  ['57P03', 'mirror_unreachable'],
  ['57P01', 'mirror_unreachable'],
  ['ECONNREFUSED', 'mirror_unreachable'],
  ['53100', 'mirror_full'],
  ['XX001', 'mirror_damaged'],
  ['XX002', 'mirror_damaged'],
  ['28P01', 'mirror_unusable'],
  ['CERT_HAS_EXPIRED', 'mirror_unusable'],
])('an error of the server with the code %s is %s', async (code, expected) => {
  const cause = Object.assign(new Error('as the server says it'), { code });
  const work = async () => {
    throw cause;
  };
  await expect(translatingServer('postgres://db/rates', work)).rejects.toMatchObject({
    ...{ kind: 'mirror', code: expected, cause },
  });
});
