import { MacroError } from '../errors.ts';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../webhooks/delivery-policy.ts';
import { type Options, textOption } from './command.ts';
import { readDuration } from './durations.ts';

const MOST_ATTEMPTS = 50;

/** How a server tries deliveries, as it was typed. Waits that are typed are exact: whoever tests a receiver wants to know when. */
export function readWebhookPolicy(options: Options): DeliveryPolicy {
  const waits = textOption(options, 'webhook-waits');
  const failures = textOption(options, 'webhook-failures');
  return {
    ...DELIVERY_POLICY,
    ...(waits !== undefined && { waits: readWaits(waits), jitter: 0 }),
    ...(failures !== undefined && { limits: { ...DELIVERY_POLICY.limits, failures: readFailures(failures) } }),
  };
}

function readWaits(text: string): readonly number[] {
  const words = text.split(',').filter((word) => word.trim() !== '');
  if (words.length >= MOST_ATTEMPTS)
    throw bad(`A delivery is tried ${MOST_ATTEMPTS} times at most.`, `Give less than ${MOST_ATTEMPTS} waits.`);
  return words.map((word) => readDuration(word, '--webhook-waits') * 1_000);
}

function readFailures(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw bad(`'${text}' is no number for --webhook-failures.`, 'Give one from 1 up; 10 is usual.');
}

function bad(message: string, hint: string): MacroError {
  return new MacroError('usage', message, { code: 'bad_arguments', hint });
}
