import type { Client } from 'pg';
import type { Platform } from '../../platform/platform.ts';
import type { Pool } from './pool.ts';

/** Milliseconds without a word from the server after which it is asked. */
const QUIET = 2000;

export interface VersionWatch {
  /** A number that is another one after every change that anybody made. */
  version(): number;
  /** A change of this program is known before anybody tells. */
  changed(count: number): void;
  close(): void;
}

/**
 * Follows the count of changes without asking at every look: the server tells of each change. Walk: the first look begins to
 * listen; a number that is not known for sure is never given twice, so that nobody takes silence for "nothing has happened";
 * a server that said nothing for a while is asked, and one that does not answer makes the number unknown.
 */
export function watchVersion(
  { pool, channel, schema }: { pool: Pool; channel: string; schema: string },
  clock: Pick<Platform['clock'], 'now'>,
): VersionWatch {
  let listener: Promise<Client> | undefined;
  let known: number | undefined;
  let heardAt = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let isClosed = false;
  let unknown = 0;

  const hear = (count: number) => {
    known = Math.max(known ?? 0, count);
    heardAt = clock.now();
  };
  const lose = () => {
    known = undefined;
    const lost = listener;
    listener = undefined;
    void lost?.then((client) => client.end()).catch(() => {});
  };

  async function listen(): Promise<Client> {
    const client = await pool.alone((begun) => {
      begun.on('notification', ({ payload }) => hear(Number(payload)));
      return begun.query(`listen "${channel}"`);
    });
    client.on('end', lose);
    client.on('error', lose);
    return client;
  }

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      listener ??= listen();
      const client = await listener;
      const { rows } = await client.query<{ changes: number }>(`select changes from "${schema}".mirror`);
      if (!isClosed) hear(rows[0]?.changes ?? 0);
    } catch {
      lose();
      // A server that cannot be listened to, a copy that only reads for one, is not asked at every look.
      restsUntil = clock.now() + QUIET;
    } finally {
      isAsking = false;
    }
  }

  return {
    version() {
      const isSure = known !== undefined && clock.now() - heardAt < QUIET;
      if (!isSure && !isAsking && !isClosed && clock.now() >= restsUntil) void ask();
      // While it is being asked, what was heard last still counts for as long again.
      if (known !== undefined && clock.now() - heardAt < 2 * QUIET) return known;
      unknown -= 1;
      return unknown;
    },
    changed(count) {
      if (known !== undefined) known = Math.max(known, count);
    },
    close() {
      isClosed = true;
      lose();
    },
  };
}
