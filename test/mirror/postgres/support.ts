import { onTestFinished } from 'vitest';
import type { Mapping } from '../../../src/contract/mapping.ts';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import { type OpenOptions, openMirror } from '../../../src/mirror/postgres/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { freshAddress } from '../../support/postgres.ts';
import { MIDNIGHT } from '../support.ts';

export interface ServerMirror {
  readonly mirror: Mirror;
  readonly address: string;
  /** Another opening of the same mirror, closed with the test. */
  again(options?: Partial<OpenOptions>): Promise<Mirror>;
}

/** A mirror in a fresh schema, closed when the test ends. Its commits are dated by the test. */
export async function serverMirror(mappings: Readonly<Record<string, Mapping>> = MAPPINGS): Promise<ServerMirror> {
  const { platform } = testPlatform({ now: MIDNIGHT });
  const address = await freshAddress();
  const again = async (options: Partial<OpenOptions> = {}) => {
    const mirror = await openMirror({ address, mappings, platform, mode: 'write', dates: 'caller', ...options });
    onTestFinished(() => mirror.close());
    return mirror;
  };
  return { mirror: await again(), address, again };
}
