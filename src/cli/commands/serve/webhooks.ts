// Signing keys and webhooks of a served mirror.
import { join, resolve } from 'node:path';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { openDesk } from '../../../serve/desk-key.ts';
import type { FaultEngine } from '../../../serve/faults/fault-engine.ts';
import { keyFiles, openSigning, retireKeys, sharedKeys } from '../../../serve/signing-key.ts';
import type { DeliveryPolicy } from '../../../webhooks/send/deliver.ts';
import { createSender, retryingOutbox } from '../../../webhooks/send/sender.ts';
import { createSubscriptions } from '../../../webhooks/send/subscriptions.ts';
import { openSigningSecrets, sharedSigningSecrets } from '../../../webhooks/signing-secrets.ts';
import type { App } from '../../app/app.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';
import { followFile, SERVE_BUSY_MS } from './followed-mirror.ts';

/**
 * The secrets of a served mirror: in files of this machine, or in the database where several machines may serve it. With it
 * the connection of a shared mirror that may write, which webhooks use too.
 */
export async function openSecrets(
  app: App,
  mirror: Mirror,
  { options, now }: { readonly options: Options; readonly now: number },
) {
  const { platform, settings } = app;
  const { id } = await mirror.stamp();
  const folder = join(settings.folders.serve, id);
  const given = textOption(options, 'desk-key') ?? (platform.env.MACRO_DESK_KEY_FILE || undefined);
  if (given !== undefined && !mirror.shared)
    throw new MacroError('usage', 'A mirror in a file has no desk key: its secrets are files of this machine.', {
      code: 'bad_arguments',
      hint: 'Leave out --desk-key and MACRO_DESK_KEY_FILE, or name a mirror on PostgreSQL with --mirror.',
    });
  const file = given === undefined ? join(folder, 'desk.key') : resolve(platform.cwd, given);
  const written = mirror.shared && (await openToWrite(app, mirror.name));
  const desk = written?.shared
    ? await openDesk({ platform, table: written.shared.secrets, mirror: id, file })
    : mirror.shared && { table: mirror.shared.secrets, sealing: undefined, madeBy: 'another machine', isNew: false };
  if (desk?.isNew)
    await app.say(
      `made the desk key ${file}: copy it to each other machine that serves this mirror, and name it there with --desk-key or MACRO_DESK_KEY_FILE`,
      'desk_key_made',
    );
  if (written && !desk?.sealing)
    await app.warn(
      `this machine signs nothing, because the desk key that ${desk?.madeBy} made is not here; copy that file to ${file}, or name it with --desk-key`,
      'desk_key_missing',
    );
  const store = desk ? sharedKeys(desk) : keyFiles({ platform, folder });
  if (isOn(options, 'new-signing-key')) {
    const retired = await retireKeys(store, Math.floor(now / 1000));
    await app.note(
      retired.length === 0 ? 'there was no signing key to retire' : `retired ${retired.join(', ')}`,
      'signing_keys_retired',
    );
  }
  return { signing: openSigning(store, platform.random), desk, written };
}

interface WebhookOptions extends Omit<Awaited<ReturnType<typeof openSecrets>>, 'signing'> {
  readonly allowLocal: boolean;
  readonly policy: DeliveryPolicy;
  readonly faults: FaultEngine;
}

/** The webhooks of a served mirror, through a connection that may write; none where it cannot. */
export async function openWebhooks(
  app: App,
  mirror: Mirror,
  { allowLocal, policy, faults, ...opened }: WebhookOptions,
) {
  const written = mirror.shared ? opened.written : await openToWrite(app, mirror.name);
  if (!written) return undefined;
  if (allowLocal)
    await app.warn(
      'webhooks may be sent to this machine, unencrypted too: never offer this to others',
      'local_destinations',
    );
  const { platform, settings } = app;
  const { id, nature } = await mirror.stamp();
  // A replay stores its made-up data in a file, whatever it reads.
  const desk = mirror.shared && opened.desk;
  const secrets = desk
    ? sharedSigningSecrets(desk, platform)
    : openSigningSecrets({ platform, folder: join(settings.folders.serve, id, 'webhooks') });
  const { clock, post, random } = platform;
  const outbox = retryingOutbox(written.outbox, clock);
  const guard = { resolve: platform.resolve, allowLocal };
  const sender = createSender({
    ...{ outbox, secrets, guard, clock, post: faults.post(post), random },
    journal: mirror.journal,
    look: () => mirror.look(),
    policy,
    headerPrefix: settings.headerPrefix.value,
    synthetic: nature === 'synthetic',
    failed: (text) => void app.log(text, 'webhook_not_sent'),
  });
  return {
    // A host without the desk key can sign nothing.
    sender: desk && !desk.sealing ? undefined : sender,
    subscriptions: createSubscriptions({ outbox, secrets, guard, random, flush: written.flush }),
  };
}

async function openToWrite(app: App, path: string): Promise<Mirror | undefined> {
  try {
    const written = await app.openMirror({ path, mode: 'write', busyTimeout: SERVE_BUSY_MS });
    return followFile(app, written, { mode: 'write' });
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind !== 'mirror') throw error;
    await app.warn(`there are no webhooks: ${error.message}`, 'no_webhooks');
    return undefined;
  }
}
