// The one request after a service or a key was chosen: does it answer, does the clock agree, is the key accepted.

import { onlyVerified } from '../../../client/http/address.ts';
import { sendDirect } from '../../../client/http/direct.ts';
import { createWire } from '../../../client/http/wire.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { noteProxy } from '../../app/service.ts';
import { baseUrlOrigin } from '../../app/settings.ts';

/** Milliseconds by which a clock may differ from the service. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;
/** Milliseconds that a person waits for it. */
const DEADLINE_MS = 10_000;

export interface ServiceToCheck {
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** Where the key stands that nobody typed now. */
  readonly from?: string | undefined;
  readonly headerPrefix?: string | undefined;
}

/** `refusal` is what the service said of the key; `answers` is false where it could not be asked at all. */
export interface ServiceCheck {
  readonly answers: boolean;
  readonly refusal: MacroError | undefined;
}

/** Asks the service once, and says what came of it and what follows. What to do about a refused key is the caller's. */
export async function checkService(app: App, service: ServiceToCheck): Promise<ServiceCheck> {
  const { baseUrl, key, from, headerPrefix } = service;
  const { platform, signal } = app;
  const origin = baseUrlOrigin(baseUrl);
  const world = key === undefined ? platform : { ...platform, fetch: onlyVerified(platform) };
  const wire = createWire({
    ...{ platform: world, baseUrl, proxy: noteProxy(app, baseUrl), deadline: DEADLINE_MS },
    ...(key !== undefined && { key }),
    ...(headerPrefix !== undefined && { headerPrefix }),
  });
  try {
    const { headers } = await sendDirect(wire, { method: 'GET', target: '/v1/ping', signal });
    const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
    const parts = [
      `${origin} answers`,
      key === undefined
        ? 'without a key it tells USD of the last 90 days only'
        : `the key${from === undefined ? '' : ` in ${from}`} is accepted`,
      ...leftText(header('ratelimit-remaining'), header('ratelimit-limit')),
    ];
    await app.note(`${parts.join(', ')}.`, 'service_checked');
    await warnOfClock(app, platform.clock.now() - Date.parse(header('date') ?? ''));
    return { answers: true, refusal: undefined };
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    if (error.kind === 'auth' && key !== undefined) return { answers: true, refusal: error };
    await app.warn(
      `${origin} cannot be checked now: ${error.message} ${followsFrom(error)} ${app.isDryRun ? 'It would be kept' : 'What was typed is kept'}; macro doctor checks it again.`,
      'service_unchecked',
    );
    return { answers: false, refusal: undefined };
  }
}

async function warnOfClock(app: App, ahead: number): Promise<void> {
  if (!(Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS)) return;
  const how = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`;
  await app.warn(
    `the clock of this machine is ${how} the service: releases look early or late, and signed deliveries may be refused. macro doctor names the cure.`,
    'clock_differs',
  );
}

function followsFrom({ kind }: MacroError): string {
  return kind === 'quota'
    ? 'Until its quota is back, questions wait or end with exit 5; macro quota shows when that is.'
    : 'Until it answers, macro sync brings nothing and questions are answered from the mirror alone.';
}

/** A key that the service refused and that nobody wanted to keep all the same. */
export function refusedKey(baseUrl: string, { message, code, status }: MacroError, again: string): MacroError {
  return new MacroError('auth', `${baseUrlOrigin(baseUrl)} refuses this key, so it is not kept: ${message}`, {
    hint: `Look at the key again, then: ${again}. To keep it all the same, add --keep-refused.`,
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
  });
}

function leftText(left: string | undefined, limit: string | undefined): readonly string[] {
  if (left === undefined || limit === undefined) return [];
  const follows = left === '0' ? ': until they are back, questions wait or end with exit 5' : '';
  return [`${left} of ${limit} requests are left${follows}`];
}
