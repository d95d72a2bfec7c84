import { createCipheriv, createDecipheriv } from 'node:crypto';
import { MacroError } from '../../errors.ts';
import type { Random } from '../../platform/platform.ts';
import type { SecretKind, SecretTable } from '../api/shared.ts';

/** Secrets of a shared mirror as a host sees them that has the desk key. */
export interface Sealing {
  /** The text to be stored. */
  seal(kind: SecretKind, name: string, secret: Uint8Array): string;
  /** @throws MacroError of kind `mirror` where another key has sealed it, or another row. */
  open(kind: SecretKind, name: string, sealed: string): Uint8Array;
}

/** Secrets of a shared mirror; a host without the desk key sees only their public part. */
export interface SharedSecrets {
  readonly table: SecretTable;
  /** Undefined where this host does not have the desk key. */
  readonly sealing: Sealing | undefined;
  /** The host that made the desk key, for people. */
  readonly madeBy: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a random nonce in front and the tag behind. Mirror, kind and name are authenticated too, so that no row can
 * stand in for another one.
 */
export function createSealing(key: Uint8Array, mirror: string, random: Pick<Random, 'bytes'>): Sealing {
  const about = (kind: SecretKind, name: string) => Buffer.from(`${mirror}\n${kind}\n${name}`);
  return {
    seal(kind, name, secret) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(about(kind, name));
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    open(kind, name, sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(about(kind, name)).setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch (cause) {
        throw new MacroError('mirror', `The stored secret ${kind} ${name} cannot be opened with this desk key.`, {
          code: 'desk_key_wrong',
          hint: 'Give the desk key that the other machines have: --desk-key FILE, or MACRO_DESK_KEY_FILE.',
          cause,
        });
      }
    },
  };
}

/** The refusal of a host without the desk key. `what`: what it cannot do, for people. */
export function deskKeyMissing({ madeBy }: Pick<SharedSecrets, 'madeBy'>, what: string): MacroError {
  return new MacroError('usage', `This machine cannot ${what}: the desk key that ${madeBy} made is not here.`, {
    status: 409,
    code: 'secret_elsewhere',
    hint: 'Copy that file to this machine, name it with --desk-key FILE or MACRO_DESK_KEY_FILE, and start again.',
  });
}
