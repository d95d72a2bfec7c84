import { createQuotaGate } from '../client/gate.ts';
import { type ClientOptions, createWire, type Wire } from '../client/wire.ts';
import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { App } from './app.ts';
import { findKey } from './settings/keys.ts';
import type { Settings } from './settings/settings.ts';

/** How the configured service is asked, with the key that belongs to it; undefined when there is none. */
export function serviceOptions(platform: Platform, settings: Settings): ClientOptions | undefined {
  const { baseUrl, headerPrefix, folders } = settings;
  if (baseUrl.value === undefined) return undefined;
  const found = findKey(platform, folders, baseUrl.value);
  return {
    platform,
    baseUrl: baseUrl.value,
    ...(found && { key: found.key }),
    gate: createQuotaGate({ clock: platform.clock, headerPrefix: headerPrefix.value }),
    headerPrefix: headerPrefix.value,
  };
}

/** A line to the configured service for what is no question: no mirror is opened and nothing is kept. */
export function openWire({ platform, settings }: App): Wire {
  const options = serviceOptions(platform, settings);
  if (options) return createWire(options);
  throw new MacroError('auth', 'No service is chosen, so none can be asked.', {
    code: 'not_configured',
    hint: 'macro init chooses a service; --base-url URL names one.',
  });
}
