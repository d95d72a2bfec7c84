import { join } from 'node:path';
import { MacroError } from '../errors.ts';
import { inBatches } from '../mirror/rules/in-batches.ts';
import { deskKeyMissing, type SharedSecrets } from '../mirror/rules/sealing.ts';
import type { Platform } from '../platform/platform.ts';

/** The signing secrets of deliveries: one a subscription, shown once. */
export interface SigningSecrets {
  /** The current secret; undefined if there is none. */
  read(id: string): Promise<string | undefined>;
  /** Makes a new secret, in place of the old one. */
  make(id: string): Promise<string>;
  forget(id: string): Promise<void>;
}

interface SigningSecretsOptions {
  readonly platform: Pick<Platform, 'files' | 'random' | 'os'>;
  /** A folder for each mirror that is served. */
  readonly folder: string;
}

const FORM = /^whsec_[0-9a-f]{64}$/;

const newSecret = (random: Pick<Platform['random'], 'bytes'>): string =>
  `whsec_${Buffer.from(random.bytes(32)).toString('hex')}`;

/** Secrets of a mirror in a file, each in a file that nobody else may read. */
export function openSigningSecrets({ platform, folder }: SigningSecretsOptions): SigningSecrets {
  const { files, random, os } = platform;
  const pathOf = (id: string) => join(folder, `${id}.secret`);
  return {
    async read(id) {
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
    async make(id) {
      const secret = newSecret(random);
      files.makeFolder(folder, 0o700);
      files.write(pathOf(id), `${secret}\n`, 0o600);
      return secret;
    },
    forget: async (id) => files.remove(pathOf(id)),
  };
}

/** Secrets of a mirror that several machines serve: in its database, sealed with the desk key. Reads of one turn are one. */
export function sharedSigningSecrets(
  { table, sealing, madeBy }: SharedSecrets,
  { random, clock }: Pick<Platform, 'random' | 'clock'>,
): SigningSecrets {
  const read = inBatches<string, string | undefined>({
    clock,
    async work(ids) {
      if (!sealing) throw deskKeyMissing({ madeBy }, 'sign deliveries');
      const stored = new Map((await table.stored('webhook', ids)).map(({ name, sealed }) => [name, sealed]));
      return ids.map((id) => {
        const sealed = stored.get(id);
        return sealed === undefined ? undefined : Buffer.from(sealing.open('webhook', id, sealed)).toString();
      });
    },
  });
  return {
    read,
    async make(id) {
      if (!sealing) throw deskKeyMissing({ madeBy }, 'issue signing secrets');
      const secret = newSecret(random);
      const sealed = sealing.seal('webhook', id, Buffer.from(secret));
      await table.put({ kind: 'webhook', name: id, facts: '{}', sealed });
      return secret;
    },
    forget: (id) => table.remove('webhook', id),
  };
}
