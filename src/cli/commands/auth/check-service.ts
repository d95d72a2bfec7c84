// The one request after a service or a key was chosen: does it answer, does the clock agree, is the key accepted.
import { sendDirect } from '../../../client/http/direct.ts';
import { createWire } from '../../../client/http/wire.ts';
import { onlyVerified } from '../../../client/pages/verified.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { noteProxy } from '../../app/service.ts';
import { baseUrlOrigin } from '../../app/settings/base-url.ts';

/** Milliseconds by which a clock may differ from the service. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;
/** Milliseconds that a person waits for it. */
const DEADLINE_MS = 10_000;

/**
 * Asks the service once and says what came of it. A service that does not answer is no reason to forget what was typed.
 *
 * @throws MacroError with exit 4 for a key that the service refuses
 */
export async function checkService(
  app: App,
  { baseUrl, key }: { baseUrl: string; key?: string | undefined },
): Promise<void> {
  const { platform, signal } = app;
  const origin = baseUrlOrigin(baseUrl);
  const world = key === undefined ? platform : { ...platform, fetch: onlyVerified(platform) };
  const more = key === undefined ? {} : { key };
  const wire = createWire({ platform: world, baseUrl, proxy: noteProxy(app, baseUrl), deadline: DEADLINE_MS, ...more });
  try {
    const { headers } = await sendDirect(wire, { method: 'GET', target: '/v1/ping', signal });
    const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
    const parts = [
      `${origin} answers`,
      key === undefined ? 'without a key it tells USD of the last 90 days only' : 'the key is accepted',
      ...leftText(header('ratelimit-remaining'), header('ratelimit-limit')),
    ];
    await app.note(`${parts.join(', ')}.`, 'service_checked');
    const ahead = platform.clock.now() - Date.parse(header('date') ?? '');
    if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS)
      await app.warn(
        `the clock of this machine is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the service: releases look early or late. macro doctor names the cure.`,
        'clock_differs',
      );
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    if (error.kind === 'auth' && key !== undefined) throw refusedKey(origin, error);
    await app.warn(
      `${origin} cannot be checked now: ${error.message} What was typed is kept; macro doctor checks it again.`,
      'service_unchecked',
    );
  }
}

function refusedKey(origin: string, { message, code, status }: MacroError): MacroError {
  return new MacroError('auth', `${origin} refuses this key, so it is not kept: ${message}`, {
    hint: 'Look at the key again, then: macro auth login',
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
  });
}

function leftText(left: string | undefined, limit: string | undefined): readonly string[] {
  return left !== undefined && limit !== undefined ? [`${left} of ${limit} requests are left`] : [];
}
