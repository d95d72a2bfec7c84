// The service: what is set, the key, proxy and certificates, and one request that shows whether all of it works.
import { sendDirect } from '../../../client/http/direct.ts';
import { MacroError } from '../../../errors.ts';
import { readBudgets } from '../../../state/budgets.ts';
import type { App } from '../../app/app.ts';
import { readAccount } from '../../app/quota-handle.ts';
import { noteProxy, openWire } from '../../app/service.ts';
import { accessWith, findKey } from '../../app/settings/keys.ts';
import { instantText } from '../../messages/instant.ts';
import { type Diagnosis, fine, noteOf, problemOf } from './look.ts';

/** Milliseconds by which a clock may differ from the service before releases look early or late. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;
/** Beyond this signatures of deliveries are refused. */
const BROKEN_CLOCK_MS = 300_000;

export function settingLooks(app: App): readonly Diagnosis[] {
  const { baseUrl, profile, warnings } = app.settings;
  const said = warnings.map((says) => noteOf('settings', says, 'macro config explain'));
  if (baseUrl.value === undefined) return [...said, noteOf('service', 'none is chosen', 'macro init')];
  const named = profile.value === undefined ? '' : `, profile ${profile.value}`;
  return [
    ...said,
    fine('service', `${baseUrl.value} (${baseUrl.from}${named})`),
    fine('proxy', noteProxy(app, baseUrl.value) ?? 'none'),
    ...certificateLooks(app),
  ];
}

function certificateLooks({ platform: { env, files } }: App): readonly Diagnosis[] {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    return [
      noteOf(
        'certificates',
        'NODE_TLS_REJECT_UNAUTHORIZED=0: any server passes for the service',
        'unset NODE_TLS_REJECT_UNAUTHORIZED',
      ),
    ];
  const file = env.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '') return [];
  if (files.exists(file)) return [fine('certificates', `${file} (NODE_EXTRA_CA_CERTS)`)];
  return [noteOf('certificates', `there is no file ${file} (NODE_EXTRA_CA_CERTS)`, 'unset NODE_EXTRA_CA_CERTS')];
}

/** @throws MacroError for a key that others can read, or that cannot be one */
export function keyLooks(app: App): readonly Diagnosis[] {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return [];
  const found = findKey(app.platform, app.settings, baseUrl);
  if (!found) return [noteOf('key', 'none: USD of the last 90 days only', 'macro auth login')];
  return [fine('key', `${accessWith(app.platform, app.settings, baseUrl)} (${found.from})`)];
}

/** Makes the one request; then what it taught of the quota is known as well. */
export async function serviceLooks(app: App): Promise<readonly Diagnosis[]> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return [];
  const { clock } = app.platform;
  const begun = clock.now();
  try {
    const { headers } = await sendDirect(openWire(app), { method: 'GET', target: '/v1/ping', signal: app.signal });
    const date = Date.parse(headers.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
    return [
      fine('answer', `the service answers after ${clock.now() - begun} ms`),
      ...(Number.isNaN(date) ? [] : [clockLook(app, clock.now() - date)]),
      ...(await quotaLooks(app, baseUrl)),
    ];
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    return [problemOf('answer', error, cureOf(app, error))];
  }
}

/** The command that mends what kept the service from answering. */
function cureOf({ settings }: App, { kind, hint }: MacroError): string | undefined {
  if (kind === 'auth') return 'macro auth login';
  if (kind !== 'upstream') return hint;
  const { baseUrl, profile } = settings;
  const isProfile = baseUrl.from.startsWith('profile ');
  const change = isProfile ? `macro profile add ${profile.value} --base-url URL` : `Correct ${baseUrl.from}`;
  return `If the address is wrong: ${change}. Until the service answers: macro --offline works from the mirror.`;
}

function clockLook({ platform }: App, difference: number): Diagnosis {
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return fine('clock', 'within 30 seconds of the service');
  const says = `${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the service: releases look early or late`;
  const cure = `Set the clock of this machine: ${CLOCK_COMMANDS[platform.os]}`;
  if (Math.abs(difference) < BROKEN_CLOCK_MS) return noteOf('clock', says, cure);
  const message = `The clock of this machine is ${says}.`;
  return problemOf('clock', new MacroError('incomplete', message, { code: 'clock_wrong', hint: cure }));
}

const CLOCK_COMMANDS: Readonly<Record<App['platform']['os'], string>> = {
  linux: 'sudo timedatectl set-ntp true',
  macos: 'sudo systemsetup -setusingnetworktime on',
  windows: 'w32tm /resync',
};

async function quotaLooks(app: App, baseUrl: string): Promise<readonly Diagnosis[]> {
  const now = app.platform.clock.now();
  const budgets = readBudgets(await readAccount(app, baseUrl), now).filter(({ resetsAt }) => resetsAt !== undefined);
  const spent = budgets.find(({ left }) => left === 0);
  if (spent)
    return [
      noteOf(
        'quota',
        `the budget of this ${spent.budget} is spent until ${instantText(spent.resetsAt)}`,
        'macro quota',
      ),
    ];
  const text = budgets.map(({ budget, left, limit }) => `${budget} ${left} of ${limit}`).join(', ');
  return text === '' ? [] : [fine('quota', `${text} left`)];
}
