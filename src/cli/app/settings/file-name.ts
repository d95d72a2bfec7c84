import { baseUrlOrigin } from './base-url.ts';

/**
 * The name of what is kept for an origin: two origins never share one. Letters, digits, dots and hyphens of the host stand
 * as they are, and a port follows an underscore, so every other character is written as its bytes.
 */
export function originFileName(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrlOrigin(baseUrl));
  return `${protocol.replace(':', '')}_${fileNamePart(hostname)}${port === '' ? '' : `_${port}`}`;
}

/** A text as a part of a file name: `%5F` for `_`. Capitals are written as bytes too, because some systems ignore case. */
export function fileNamePart(text: string): string {
  return text.replace(/[^a-z0-9.-]/gu, (character) =>
    Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
}
