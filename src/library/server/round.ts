import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { INTERFACE } from '../../endpoints/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { digestKey, type KeyEntry } from '../../serve/access/keys.ts';
import { withAddresses } from '../../serve/addresses.ts';
import { createServer } from '../../serve/create.ts';
import { createFaults, type FaultEngine } from '../../serve/faults/fault-engine.ts';
import { readFaultList } from '../../serve/faults/read-faults.ts';
import { openSigning } from '../../serve/signing-key.ts';
import { LABELS } from '../../source/labels.ts';
import { createMirrorSource } from '../../source/mirror.ts';
import type { MacroServerOptions } from '../api/server.ts';
import { type DataSet, openDataSet } from './data-set.ts';
import { openTestWebhooks } from './open-webhooks.ts';

export interface RoundOptions {
  readonly platform: Platform;
  readonly options: MacroServerOptions;
  readonly url: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly now: () => number;
}

/** What answers from one reset to the next: data, budgets, streams and webhooks, all of them new. */
export interface Round {
  readonly handle: RequestListener;
  readonly data: DataSet;
  readonly faults: FaultEngine;
  close(): Promise<void>;
}

export async function openRound({ platform, options, url, startsAt, now }: RoundOptions): Promise<Round> {
  const folder = platform.files.makeTemporaryFolder('macro-server-');
  try {
    const data = await openDataSet({ platform, data: options.data, now: startsAt, folder });
    const { mirror, isOwn } = data;
    const labels = await withAddresses({ ...LABELS, publicBaseUrl: url }, mirror);
    const signing = openSigning({ platform, folder: join(folder, 'keys') });
    const faults = createFaults({
      ...{ rules: readFaultList(options.faults ?? []), seed: options.seed, clock: platform.clock },
      // Nobody but the owner of real data can have it spoiled.
      allowsHeader: isOwn || options.faults !== undefined,
    });
    const webhooks = isOwn ? openTestWebhooks({ platform, mirror, folder, faults }) : undefined;
    const app = await createServer({
      source: createMirrorSource({ mirror, labels, signing }),
      ...{ mirror, endpoints: INTERFACE, platform, faults },
      subscriptions: webhooks?.subscriptions,
      options: {
        ...{
          labels,
          now,
          boundTo: '127.0.0.1',
          quotas: options.quotas === true,
          strict: options.strict === true,
        },
        ...(options.keys && { keys: options.keys.map(entryOf) }),
      },
    });
    webhooks?.sender.start();
    return {
      ...{ data, faults, handle: app.handle },
      async close() {
        await Promise.all([app.close(), webhooks?.sender.close()]);
        mirror.close();
        platform.files.remove(folder);
      },
    };
  } catch (error) {
    platform.files.remove(folder);
    throw error;
  }
}

function entryOf(given: NonNullable<MacroServerOptions['keys']>[number]): KeyEntry {
  const { key, plan = 'individual', label = '' } = typeof given === 'string' ? { key: given } : given;
  return { digest: digestKey(key), plan, label };
}
