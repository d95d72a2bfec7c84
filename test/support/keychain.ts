import { MacroError } from '../../src/errors.ts';
import type { Keychain } from '../../src/platform/platform.ts';

/** A keychain of a test: it can be locked, and shows what it holds. */
export function memoryKeychain() {
  const held = new Map<string, string>();
  let isLocked = false;
  const open = <T>(work: () => T): T => {
    if (isLocked)
      throw new MacroError('auth', 'The test keychain does not answer: it is locked.', {
        code: 'keychain_unavailable',
      });
    return work();
  };
  const keychain: Keychain = {
    describe: (account) => `the test keychain, entry ${account}`,
    missingPart: () => (isLocked ? 'The test keychain does not answer: it is locked.' : undefined),
    read: (account) => open(() => held.get(account)),
    write: (account, secret) => open(() => void held.set(account, secret)),
    remove: (account) => open(() => void held.delete(account)),
  };
  return { keychain, entries: () => Object.fromEntries(held), lock: () => (isLocked = true) };
}
