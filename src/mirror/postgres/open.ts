import type { Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Mirror } from '../api/mirror.ts';
import { sharedOf } from '../core/shared.ts';
import { type PostgresAddress, readServerAddress } from './address.ts';
import { migrateServer, readServerState } from './migrate.ts';
import { mirrorOn } from './mirror.ts';
import { ofOwnVersion } from './own-version.ts';
import { openPool, type Pool } from './pool.ts';

export interface ServerOpenOptions {
  /** `postgres://user@host/database?schema=name`. */
  readonly address: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly platform: Pick<Platform, 'clock' | 'random' | 'env'>;
  readonly mode: 'write' | 'read';
  /** Who dates commits. The server does, for machines whose clocks differ; a test may do it itself. */
  readonly dates?: 'server' | 'caller';
}

/** Opens the mirror of a PostgreSQL server; in `write` mode its schema is made when absent. */
export async function openServerMirror(options: ServerOpenOptions): Promise<Mirror> {
  const { mode, mappings, platform, dates = 'server' } = options;
  const address = readServerAddress(options.address, platform.env);
  const pool = openPool(address);
  try {
    if (mode === 'write') await makeReady(pool, address, options);
    else await requireReady(pool, address, options);
    const shared = sharedOf(address.name, mappings, 'whole');
    return await mirrorOn(
      { pool: ofOwnVersion(pool, address.name), address, shared, clock: platform.clock },
      { mode, dates },
    );
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function makeReady(pool: Pool, address: PostgresAddress, { platform }: ServerOpenOptions): Promise<void> {
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const birth = { id, created: platform.clock.now() };
  await pool.writing((connection) => migrateServer(connection, address, birth));
}

async function requireReady(pool: Pool, address: PostgresAddress, options: ServerOpenOptions): Promise<void> {
  const { name } = address;
  const state = await pool.reading((connection) => readServerState(connection, name));
  if (state === 'empty')
    throw new MacroError('mirror', `There is no mirror at ${name}.`, {
      code: 'mirror_absent',
      hint: 'Fill one with `macro sync fx eur usd` or `macro import FILE`, or name another one with --mirror.',
    });
  // Whoever asks a question of a mirror that an older program wrote has not to know of versions.
  if (state === 'older') await makeReady(pool, address, options);
}
