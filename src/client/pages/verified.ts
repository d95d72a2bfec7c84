import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';

/**
 * Sends nothing over TLS while Node checks no certificates: whoever stands on the way would read the key.
 * @throws MacroError of kind `auth`.
 */
export function onlyVerified({ fetch, env }: Pick<Platform, 'fetch' | 'env'>): Platform['fetch'] {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return fetch;
  return async (url, init) => {
    if (!url.startsWith('https:')) return fetch(url, init);
    throw new MacroError('auth', 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody on the way read the API key.', {
      code: 'tls_not_verified',
      hint: 'Unset it. For a certificate of your own give its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    });
  };
}
