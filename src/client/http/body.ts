import { MacroError } from '../../errors.ts';

/** Largest body that is read, counted after decompression. See docs/interface.md#safety-of-clients. */
const MAX_BODY = 64 * 1024 * 1024;

/** The body as text. @throws MacroError of kind `protocol` when it is too large or no UTF-8. */
export async function readText(response: Response, max = MAX_BODY): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const step = await reader?.read();
    if (!step || step.done) break;
    size += step.value.byteLength;
    if (size > max) {
      // A reader that has stopped reading must also stop the sender.
      await reader?.cancel().catch(() => undefined);
      throw tooLarge(max);
    }
    chunks.push(step.value);
  }
  return decode(chunks, size);
}

function decode(chunks: readonly Uint8Array[], size: number): string {
  const [only] = chunks;
  // Most answers come in one chunk.
  const bytes = only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MacroError('protocol', 'The service answered with bytes that are no UTF-8 text.', {
      code: 'not_utf8',
      hint: 'Check the address of the service; nothing of the answer was stored.',
      cause,
    });
  }
}

function tooLarge(max: number): MacroError {
  const size = max >= 1024 * 1024 ? `${Math.floor(max / 1024 / 1024)} MiB` : `${max} bytes`;
  return new MacroError('protocol', `The service answered with more than ${size}, which is more than we read.`, {
    code: 'body_too_large',
    hint: 'Ask for a smaller window or a smaller --limit.',
  });
}

/** True when a text stops inside a JSON value: a compressed body that was cut off ends without an error. */
export function isCutOff(text: string): boolean {
  if (text.trim() === '') return true;
  if (!/^\s*[{[]/.test(text)) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
  }
  return inString || depth > 0;
}
