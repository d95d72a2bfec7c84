import { join } from 'node:path';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { openSigningSecrets } from '../webhooks/signing-secrets.ts';
import { createSubscriptions, type Subscriptions } from '../webhooks/subscriptions.ts';
import type { App } from './app.ts';

/** Milliseconds that the whole server stands still at most, while another program writes the mirror. */
const BUSY_TIMEOUT = 100;

/**
 * The webhooks of a served mirror. They are kept in it, through a connection of their own that may write; a mirror that cannot
 * be written is served without them.
 */
export async function openWebhooks(app: App, mirror: Mirror, allowLocal: boolean): Promise<Subscriptions | undefined> {
  const written = await openToWrite(app, mirror.name);
  if (!written) return undefined;
  if (allowLocal) await app.warn('webhooks may be sent to this machine, unencrypted too: never offer this to others');
  const { platform, settings } = app;
  const { id } = await mirror.stamp();
  return createSubscriptions({
    outbox: written.outbox,
    secrets: openSigningSecrets({ platform, folder: join(settings.folders.serve, id, 'webhooks') }),
    guard: { resolve: platform.resolve, allowLocal },
    random: platform.random,
    onActive: () => undefined,
  });
}

async function openToWrite(app: App, path: string): Promise<Mirror | undefined> {
  try {
    return await app.openMirror({ path, mode: 'write', busyTimeout: BUSY_TIMEOUT });
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind !== 'mirror') throw error;
    await app.warn(`there are no webhooks: ${error.message}`);
    return undefined;
  }
}
