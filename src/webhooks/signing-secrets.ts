import { join } from 'node:path';
import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';

/** The secrets that a server signs its deliveries with: one a subscription, on this machine only, told once. */
export interface SigningSecrets {
  /** Undefined where this machine has none: another one issued it. */
  read(id: string): string | undefined;
  /** Makes a new one, in place of the one that there was. */
  make(id: string): string;
  forget(id: string): void;
}

interface SigningSecretsOptions {
  readonly platform: Pick<Platform, 'files' | 'random' | 'os'>;
  /** A folder for each mirror that is served. */
  readonly folder: string;
}

const FORM = /^whsec_[0-9a-f]{64}$/;

export function openSigningSecrets({ platform, folder }: SigningSecretsOptions): SigningSecrets {
  const { files, random, os } = platform;
  const pathOf = (id: string) => join(folder, `${id}.secret`);
  return {
    read(id) {
      const path = pathOf(id);
      if (!files.exists(path)) return undefined;
      if (os !== 'windows' && ((files.mode(path) ?? 0) & 0o077) !== 0)
        throw new MacroError('mirror', `Others can read the signing secret ${path}.`, {
          hint: `Type: chmod 600 ${path}`,
        });
      const secret = files.readText(path).trim();
      if (FORM.test(secret)) return secret;
      throw new MacroError('mirror', `The signing secret ${path} is damaged.`, {
        hint: `Make a new one: macro webhooks rotate-secret ${id}`,
      });
    },
    make(id) {
      const secret = `whsec_${Buffer.from(random.bytes(32)).toString('hex')}`;
      files.makeFolder(folder, 0o700);
      files.write(pathOf(id), `${secret}\n`, 0o600);
      return secret;
    },
    forget: (id) => files.remove(pathOf(id)),
  };
}
