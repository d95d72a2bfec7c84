import type { OptionSpec } from '../command.ts';

/** Where a key may be kept. */
export const KEY_PLACES = ['keychain', 'file'] as const;

/** `--keep-in`, of the commands that keep a key. */
export const KEEP_IN: OptionSpec = {
  name: 'keep-in',
  value: 'PLACE',
  words: KEY_PLACES,
  doc: 'where the key is kept; default: the keychain of the system where there is one, else a file that only you can read',
};

export const KEEP_REFUSED: OptionSpec = { name: 'keep-refused', doc: 'keep a key although the service refuses it' };
