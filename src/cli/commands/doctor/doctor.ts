import { sendDirect } from '../../../client/http/direct.ts';
import { CLIENT_VERSION } from '../../../client/http/version.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { noteProxy, openWire } from '../../app/service.ts';
import { accessWith, findKey } from '../../app/settings/keys.ts';
import { instantText } from '../../messages/instant.ts';
import { listOwn } from '../../output/own-listing.ts';
import { isOn } from '../../parse/options.ts';
import type { Call } from '../command.ts';

/** Milliseconds by which a clock may differ from the service before releases look early or late. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;

const COLUMNS = ['check', 'state', 'says', 'do'] as const;

/** What one look found. A problem ends the command with its error, after all looks are printed. */
interface Look {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly says: string;
  /** What mends it, as a command or a sentence. */
  readonly do?: string | undefined;
  readonly error?: MacroError;
}

/**
 * Looks at everything that a question needs, in the order in which it is needed, and prints one line for each. One request
 * is made, to the service's probe: it shows address, proxy, clock and whether the key is accepted.
 *
 * @throws MacroError the first problem found, after the lines are printed
 */
export async function diagnose(app: App, call: Call): Promise<void> {
  const looks = [
    programLook(app),
    ...settingLooks(app),
    await mirrorLook(app),
    ...(isOn(call.options, 'offline') ? [] : await serviceLooks(app)),
  ];
  const rows = looks.map(({ error: _, ...look }) => ({ ...look, do: look.do ?? null }));
  await app.print(listOwn({ columns: COLUMNS, rows, title: ['doctor'] }));
  const broken = looks.find(({ error }) => error);
  if (broken?.error) throw broken.error;
}

function programLook({ platform }: App): Look {
  return { check: 'program', state: 'ok', says: `macro ${CLIENT_VERSION} on ${platform.os}` };
}

function settingLooks(app: App): readonly Look[] {
  const { baseUrl, profile, warnings } = app.settings;
  const said = warnings.map((says): Look => ({ check: 'settings', state: 'note', says, do: 'macro config explain' }));
  if (baseUrl.value === undefined)
    return [...said, { check: 'service', state: 'note', says: 'none is chosen', do: 'macro init' }];
  const found = findKey(app.platform, app.settings, baseUrl.value);
  const named = profile.value === undefined ? '' : `, profile ${profile.value}`;
  return [
    ...said,
    { check: 'service', state: 'ok', says: `${baseUrl.value} (${baseUrl.from}${named})` },
    found
      ? { check: 'key', state: 'ok', says: `${accessWith(app.platform, app.settings, baseUrl.value)} (${found.from})` }
      : { check: 'key', state: 'note', says: 'none: USD of the last 90 days only', do: 'macro auth login' },
    { check: 'proxy', state: 'ok', says: noteProxy(app, baseUrl.value) ?? 'none' },
  ];
}

async function mirrorLook(app: App): Promise<Look> {
  const path = app.settings.mirror.value;
  try {
    const mirror = (await app.held())?.mirror;
    const fill = app.settings.baseUrl.value === undefined ? 'macro init' : 'macro sync fx eur usd';
    if (!mirror) return { check: 'mirror', state: 'note', says: `there is none at ${path} yet`, do: fill };
    const [run] = await mirror.runs(1);
    const last = run ? `, last sync ${instantText(run.started)} ${run.outcome ?? 'under way'}` : ', never synced';
    const { nature } = await mirror.stamp();
    return { check: 'mirror', state: 'ok', says: `${path}: ${nature ?? 'empty'}${last}` };
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    return { check: 'mirror', state: 'problem', says: error.message, do: error.hint, error };
  }
}

async function serviceLooks(app: App): Promise<readonly Look[]> {
  if (app.settings.baseUrl.value === undefined) return [];
  const { clock } = app.platform;
  const begun = clock.now();
  try {
    const { headers } = await sendDirect(openWire(app), { method: 'GET', target: '/v1/ping', signal: app.signal });
    const date = Date.parse(headers.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
    return [
      { check: 'answer', state: 'ok', says: `the service answers after ${clock.now() - begun} ms` },
      ...(Number.isNaN(date) ? [] : [clockLook(clock.now() - date)]),
    ];
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    return [{ check: 'answer', state: 'problem', says: error.message, do: error.hint, error }];
  }
}

function clockLook(difference: number): Look {
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS)
    return { check: 'clock', state: 'ok', says: 'within 30 seconds of the service' };
  const says = `${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the service: releases look early or late`;
  return { check: 'clock', state: 'note', says, do: 'Set the clock of this machine.' };
}
