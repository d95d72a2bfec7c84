import { MacroError } from '../../errors.ts';
import { readHeaderLines } from './saved.ts';
import { shellWords } from './shell-words.ts';
import type { ReceivedDelivery } from './verify.ts';

/**
 * A delivery as a curl command that sends it again: `-H` headers and a `--data-raw`, `--data-binary` or `-d` body.
 * @throws MacroError of kind `usage`.
 */
export function readCurl(text: string, file: string): ReceivedDelivery {
  const words = shellWords(text);
  const headers: (readonly [string, string])[] = [];
  let body: string | undefined;
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? '';
    if (word === '-H' || word === '--header') headers.push(...readHeaderLines(next, file));
    if (/^(-d|--data(-raw|-binary|-ascii)?)$/.test(word)) body = body === undefined ? next : `${body}&${next}`;
  }
  if (words[0]?.endsWith('curl') && body !== undefined && !body.startsWith('@'))
    return { headers, body: Buffer.from(body) };
  throw new MacroError('usage', `${file} is no curl command with a body in it.`, {
    code: 'bad_curl_file',
    hint: "It looks like: curl https://... -H 'X-SVC-Timestamp: 1791981003' ... --data-raw '{...}'",
  });
}
