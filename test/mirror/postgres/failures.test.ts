import { expect, it } from 'vitest';
import { translatingServer } from '../../../src/mirror/postgres/failures.ts';

/** Error codes: https://www.postgresql.org/docs/15/errcodes-appendix.html; those in words are of the network. */
it.each([
  ['55P03', 'mirror_locked'],
  ['40P01', 'mirror_locked'],
  ['40001', 'mirror_locked'],
  ['53300', 'mirror_locked'],
  ['57P01', 'mirror_unreachable'],
  ['57P02', 'mirror_unreachable'],
  ['57P03', 'mirror_unreachable'],
  ['57P04', 'mirror_unusable'],
  ['57P05', 'mirror_unreachable'],
  ['57014', 'mirror_unusable'],
  ['08000', 'mirror_unreachable'],
  ['08003', 'mirror_unreachable'],
  ['08006', 'mirror_unreachable'],
  ['08P01', 'mirror_unreachable'],
  ['25P02', 'mirror_unreachable'],
  ['25P03', 'mirror_unreachable'],
  ['25P04', 'mirror_unreachable'],
  ['53000', 'mirror_full'],
  ['53200', 'mirror_full'],
  ['53400', 'mirror_full'],
  ['3F000', 'mirror_damaged'],
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

it('a server that does not answer in time cannot be reached', async () => {
  const work = () => Promise.reject(new Error('Query read timeout'));
  await expect(translatingServer('postgres://db/rates', work)).rejects.toMatchObject({ code: 'mirror_unreachable' });
});

it('a pooler that has no connection to give is waited for, and so is whoever asks', async () => {
  const cause = Object.assign(new Error('query_wait_timeout'), { code: '08P01' });
  const work = async () => {
    throw cause;
  };
  await expect(translatingServer('postgres://db/rates', work)).rejects.toMatchObject({
    ...{ kind: 'mirror', code: 'mirror_locked', retryAfter: 1 },
  });
});
