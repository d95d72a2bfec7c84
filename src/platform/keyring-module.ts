// Loads the library of keychains. The single executable has a loader of its own in place of this one.
import process from 'node:process';

export interface KeyringEntry {
  getPassword(): string | null;
  setPassword(secret: string): void;
  deletePassword(): boolean;
}

export interface KeyringModule {
  readonly Entry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => KeyringEntry;
}

/** It is a package of CommonJS with a binary for each system; without a binary for this one it throws. */
export function loadKeyring(): KeyringModule {
  const { createRequire } = process.getBuiltinModule('node:module');
  return createRequire(import.meta.url)('@napi-rs/keyring');
}
