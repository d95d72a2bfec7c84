import { readServiceAddress } from '../../client/http/address.ts';
import { type ClientOptions, checkPrefix, createWire, type Wire } from '../../client/http/wire.ts';
import { onlyVerified } from '../../client/pages/verified.ts';
import { MacroError } from '../../errors.ts';
import { proxyFor } from '../../platform/proxies.ts';
import type { Priority } from '../../state/account.ts';
import type { App } from './app.ts';
import { describeWait, longestWait, openGate } from './quota-handle.ts';
import { findKey } from './settings/keys.ts';
import { type Setting, taken } from './settings/setting.ts';
import { readSpending, type Spending } from './spending.ts';

/** How the configured service is asked, with the key that belongs to it; undefined when there is none. */
export function serviceOptions(
  app: App,
  priority: Priority = 'interactive',
  spending: Spending = readSpending(app.options, priority),
): ClientOptions | undefined {
  const { platform } = app;
  const { baseUrl, headerPrefix } = app.settings;
  if (baseUrl.value === undefined) return undefined;
  const found = findKey(platform, app.settings, baseUrl.value);
  checkAddress(baseUrl, found !== undefined);
  return {
    platform: found ? { ...platform, fetch: onlyVerified(platform) } : platform,
    baseUrl: baseUrl.value,
    proxy: noteProxy(app, baseUrl.value),
    ...(found && { key: found.key }),
    limiter: openGate(app, baseUrl.value, { priority, spending }),
    longestWait: longestWait(spending),
    onWait: (wait) => describeWait(app, wait),
    headerPrefix: taken(headerPrefix, checkPrefix),
  };
}

/** The proxy before an address, for people: what `--verbose` shows of it, and what errors name. */
export function noteProxy({ platform, verbose }: Pick<App, 'platform' | 'verbose'>, address: string) {
  const proxy = proxyFor(platform.env, address);
  if (!proxy) return undefined;
  void verbose(`${new URL(address).origin} is asked through the proxy ${proxy.shown} (${proxy.from})`, 'proxy');
  return `${proxy.shown} (${proxy.from})`;
}

/** Refuses an address that the client would refuse, and says where it stands. */
export function checkAddress({ value, from }: Setting<string | undefined>, hasKey: boolean): void {
  if (value !== undefined) taken({ value, from }, (url) => readServiceAddress(url, hasKey));
}

/**
 * A line to the configured service for what is no question: no mirror is opened and nothing is kept.
 * @throws MacroError of kind `auth`.
 */
export function openWire(app: App): Wire {
  const options = serviceOptions(app);
  if (options) return createWire(options);
  throw new MacroError('auth', 'No service is chosen, so none can be asked.', {
    code: 'not_configured',
    hint: 'macro init chooses a service; --base-url URL names one.',
  });
}
