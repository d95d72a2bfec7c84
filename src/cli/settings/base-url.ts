import { readAddress } from '../../client/address.ts';
import { MacroError } from '../../errors.ts';

/** The origin that a key belongs to. */
export function originOf(baseUrl: string): string {
  const text = baseUrl.trim();
  if (URL.canParse(text)) return new URL(text).origin;
  throw new MacroError('usage', 'The service address is not a URL.', {
    code: 'bad_base_url',
    hint: 'Give an address like https://api.example.com or https://example.com/api/v1.',
  });
}

/** An address as it is kept in a profile; refuses one that the client would refuse. */
export function checkBaseUrl(baseUrl: string): string {
  readAddress(baseUrl, false);
  return baseUrl.trim().replace(/\/+$/, '');
}
