import { MacroError } from '../../../errors.ts';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../webhooks/send/delivery-policy.ts';
import { readCount } from '../../parse/counts.ts';
import { readDuration } from '../../parse/durations.ts';
import { type Options, textOption } from '../../parse/options.ts';

const MAX_ATTEMPTS = 50;

/** How a server tries deliveries, as it was typed. Waits that are typed are exact: whoever tests a receiver wants to know when. */
export function readWebhookPolicy(options: Options): DeliveryPolicy {
  const waits = textOption(options, 'webhook-waits');
  const failures = readCount(options, 'webhook-failures', 1);
  const failing = textOption(options, 'webhook-failing');
  return {
    ...DELIVERY_POLICY,
    ...(waits !== undefined && { waits: readWaits(waits), jitter: 0 }),
    limits: {
      failures: failures ?? DELIVERY_POLICY.limits.failures,
      streak: failing === undefined ? DELIVERY_POLICY.limits.streak : readFailing(failing),
    },
  };
}

function readFailing(text: string): number {
  const seconds = readDuration(text, '--webhook-failing');
  if (seconds > 0) return seconds * 1_000;
  throw new MacroError('usage', 'A subscription cannot end before anything failed.', {
    code: 'bad_arguments',
    hint: 'Give a second or more; --webhook-failures 1 ends it with the first delivery that failed.',
  });
}

function readWaits(text: string): readonly number[] {
  const words = text.split(',').filter((word) => word.trim() !== '');
  if (words.length >= MAX_ATTEMPTS)
    throw new MacroError('usage', `A delivery is tried ${MAX_ATTEMPTS} times at most.`, {
      code: 'bad_arguments',
      hint: `Give less than ${MAX_ATTEMPTS} waits.`,
    });
  return words.map((word) => readDuration(word, '--webhook-waits') * 1_000);
}
