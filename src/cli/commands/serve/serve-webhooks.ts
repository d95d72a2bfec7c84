import { join } from 'node:path';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { FaultEngine } from '../../../serve/faults/fault-engine.ts';
import type { DeliveryPolicy } from '../../../webhooks/send/deliver.ts';
import { createSender, retryingOutbox, type Sender } from '../../../webhooks/send/sender.ts';
import { createSubscriptions, type Subscriptions } from '../../../webhooks/send/subscriptions.ts';
import { openSigningSecrets } from '../../../webhooks/signing-secrets.ts';
import type { App } from '../../app/app.ts';

/** Milliseconds that the whole server stands still at most, while another program writes the mirror. */
const BUSY_TIMEOUT = 100;

/** Webhooks of a server: their management, and who delivers. */
export interface Webhooks {
  readonly subscriptions: Subscriptions;
  readonly sender: Sender;
}

/**
 * The webhooks of a served mirror. They are kept in it, through a connection of their own that may write; a mirror that cannot
 * be written is served without them.
 */
export async function openWebhooks(
  app: App,
  mirror: Mirror,
  { allowLocal, policy, faults }: { allowLocal: boolean; policy: DeliveryPolicy; faults: FaultEngine },
): Promise<Webhooks | undefined> {
  const written = await openToWrite(app, mirror.name);
  if (!written) return undefined;
  if (allowLocal)
    await app.warn(
      'webhooks may be sent to this machine, unencrypted too: never offer this to others',
      'local_destinations',
    );
  const { platform, settings } = app;
  const { id, nature } = await mirror.stamp();
  const { clock, post, random } = platform;
  const outbox = retryingOutbox(written.outbox, clock);
  const secrets = openSigningSecrets({ platform, folder: join(settings.folders.serve, id, 'webhooks') });
  const guard = { resolve: platform.resolve, allowLocal };
  const sender = createSender({
    ...{ outbox, secrets, guard, clock, post: faults.post(post), random },
    journal: mirror.journal,
    version: () => mirror.version(),
    policy,
    headerPrefix: settings.headerPrefix.value,
    synthetic: nature === 'synthetic',
    failed: (text) => void app.log(text, 'webhook_not_sent'),
  });
  return { sender, subscriptions: createSubscriptions({ outbox, secrets, guard, random }) };
}

async function openToWrite(app: App, path: string): Promise<Mirror | undefined> {
  try {
    return await app.openMirror({ path, mode: 'write', busyTimeout: BUSY_TIMEOUT });
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind !== 'mirror') throw error;
    await app.warn(`there are no webhooks: ${error.message}`, 'no_webhooks');
    return undefined;
  }
}
