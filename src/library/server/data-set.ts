import { join } from 'node:path';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Platform } from '../../platform/platform.ts';
import { sandboxDays } from '../../sandbox/days.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';
import { createWorld } from '../../sandbox/world.ts';
import type { MacroServerOptions } from '../api/server.ts';
import { openEngine } from '../mirror/open-engine.ts';
import { commitGiven } from './given-rows.ts';
import { PREPARED_DAY, placeSandbox } from './prepared-sandbox.ts';

/** The data of a server, open. */
export interface DataSet {
  readonly mirror: Mirror;
  /** It is a file of this server alone, so that releases and subscriptions may be written. */
  readonly isOwn: boolean;
  /** Does what is due by a moment, in milliseconds. */
  upTo(now: number): Promise<void>;
}

export interface DataSetOptions {
  readonly platform: Platform;
  readonly data: MacroServerOptions['data'];
  /** Milliseconds. */
  readonly now: number;
  /** Empty; for the files of this server. */
  readonly folder: string;
}

/** What the clock shows at the start, where nobody says it: the day of the prepared data, or the present. Milliseconds. */
export function defaultClock(data: MacroServerOptions['data'], { clock }: Pick<Platform, 'clock'>): number {
  return data === undefined || data === 'sandbox' ? PREPARED_DAY : clock.now();
}

/** Opens the data as they are at the start. */
export async function openDataSet(options: DataSetOptions): Promise<DataSet> {
  const { data = 'sandbox', platform, folder } = options;
  if (data !== 'sandbox' && typeof data === 'string') {
    const mirror = await openEngine(platform, { path: data, mode: 'read' });
    return { mirror, isOwn: false, upTo: async () => undefined };
  }
  const path = join(folder, 'data.db');
  if (data === 'sandbox') await placeSandbox(platform, path, options.now);
  const mirror = await openEngine(platform, { path, mode: 'write' });
  return data === 'sandbox' ? openSandboxDays(mirror, options) : openGiven(mirror, data, options.now);
}

async function openSandboxDays(mirror: Mirror, { platform, now }: DataSetOptions): Promise<DataSet> {
  const world = createWorld({ seed: SANDBOX_SEED, size: 'small', now });
  const days = sandboxDays(mirror, world, () => platform.clock.turnEnd());
  await days.upTo(now);
  return { mirror, isOwn: true, upTo: async (then) => void (await days.upTo(then)) };
}

async function openGiven(
  mirror: Mirror,
  data: Exclude<MacroServerOptions['data'], string | undefined>,
  now: number,
): Promise<DataSet> {
  await commitGiven(mirror, data, now);
  // They are all that there is, at any moment that the clock shows.
  return { mirror, isOwn: true, upTo: (then) => commitGiven(mirror, data, then) };
}

/** The refusal to write into data that are not the server's own. */
export function notOwn(what: string): MacroError {
  return new MacroError('usage', `A server over a mirror of yours makes up no ${what}: the mirror is only read.`, {
    hint: "Use { data: 'sandbox' } or rows of your own.",
  });
}
