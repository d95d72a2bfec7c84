import { MacroError } from '../../errors.ts';
import { type Options, textOption } from './options.ts';

/**
 * The port of `--port`.
 * @throws MacroError of kind `usage`.
 */
export function readPort(options: Options, usual: number): number {
  const text = textOption(options, 'port');
  if (text === undefined) return usual;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new MacroError('usage', `'${text}' is no port.`, { hint: 'Ports are 0 (any free one) to 65535.' });
}

/** Waits until the person or the system wants an end; throws that wish. */
export function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
