import { readServiceAddress } from '../../../client/http/address.ts';
import { MacroError } from '../../../errors.ts';

/** The origin that a key belongs to. */
export function baseUrlOrigin(baseUrl: string): string {
  return new URL(checkUrl(baseUrl)).origin;
}

/**
 * An address, whatever kind of server is asked there.
 * @throws MacroError of kind `usage`.
 */
export function checkUrl(url: string): string {
  const text = url.trim();
  if (URL.canParse(text)) return text;
  throw new MacroError('usage', 'The service address is not a URL.', {
    code: 'bad_base_url',
    hint: 'Give an address like https://api.example.com or https://example.com/api/v1.',
  });
}

/** An address as it is kept in a profile; refuses one that the client would refuse. */
export function checkBaseUrl(baseUrl: string): string {
  readServiceAddress(baseUrl, false);
  return baseUrl.trim().replace(/\/+$/, '');
}
