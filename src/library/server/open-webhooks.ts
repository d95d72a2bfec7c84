import { join } from 'node:path';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FaultEngine } from '../../serve/faults/fault-engine.ts';
import { DELIVERY_POLICY } from '../../webhooks/send/delivery-policy.ts';
import { retryingOutbox } from '../../webhooks/send/retrying-outbox.ts';
import { createSender, type Sender } from '../../webhooks/send/sender.ts';
import { createSubscriptions, type Subscriptions } from '../../webhooks/send/subscriptions.ts';
import { openSigningSecrets } from '../../webhooks/signing-secrets.ts';

export interface TestWebhooksOptions {
  readonly platform: Platform;
  readonly mirror: Mirror;
  /** Where signing secrets are kept. */
  readonly folder: string;
  readonly faults: FaultEngine;
}

interface TestWebhooks {
  readonly subscriptions: Subscriptions;
  readonly sender: Sender;
}

/** Webhooks of a server for tests: they may go to this machine, which is where a test receives them. */
export function openTestWebhooks({ platform, mirror, folder, faults }: TestWebhooksOptions): TestWebhooks {
  const { clock, post, random } = platform;
  const outbox = retryingOutbox(mirror.outbox, clock);
  const secrets = openSigningSecrets({ platform, folder: join(folder, 'webhooks') });
  const guard = { resolve: platform.resolve, allowLocal: true };
  const sender = createSender({
    ...{ outbox, secrets, guard, clock, post: faults.post(post), random },
    journal: mirror.journal,
    version: () => mirror.version(),
    policy: DELIVERY_POLICY,
    headerPrefix: 'X-SVC',
    synthetic: true,
    // Who subscribed sees it in the list of deliveries.
    failed: () => undefined,
  });
  return { sender, subscriptions: createSubscriptions({ outbox, secrets, guard, random }) };
}
