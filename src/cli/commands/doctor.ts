import { dirname, join } from 'node:path';
import { sendDirect } from '../../client/http/direct.ts';
import { CLIENT_VERSION } from '../../client/http/version.ts';
import { readBudgets } from '../../client/quota/budgets.ts';
import { waitText } from '../../client/text.ts';
import { MacroError } from '../../errors.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import type { App } from '../app/app.ts';
import { accessWith, findKey } from '../app/keys.ts';
import { noteProxy, openWire, readAccount } from '../app/service.ts';
import { baseUrlOrigin } from '../app/settings.ts';
import { lastVerified, type Verified } from '../app/verified.ts';
import { SHELLS } from '../completion/shells.ts';
import { isOn } from '../parse/options.ts';
import { instantText } from '../print/rows.ts';
import { checkSafely, DIAGNOSIS, type Diagnosis, fine, noteOf, printChecks, problemOf } from './checks.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';
import { environmentOf, isTerminalKeyOnly, requireReadableKey, scheduleEntries } from './schedule/schedule.ts';
import { readStatus } from './status.ts';

/** Checks that everything a question, a sync and a schedule need is there. */
export default [
  {
    path: ['doctor'],
    summary:
      'Check machine, settings, service, key, clock, quota, mirror and schedule: exit 0, or the code of the first problem',
    options: [
      `--publishers: ask each publisher of official data whether its file is there; nothing is fetched
      --offline [Options]: leave the service alone: no request is made`,
      LISTING,
    ],
    examples: ['doctor', 'doctor --offline --format json'],
    rows: DIAGNOSIS,
    run: diagnose,
  },
] satisfies readonly CommandDeclaration[];

/** Milliseconds by which a clock may differ from the service before releases seem early or late. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;
/** Beyond this signatures of deliveries are refused. */
const BROKEN_CLOCK_MS = 300_000;

/** Prints one line for each part, with one request, and one to each publisher on demand. @throws MacroError the first problem found. */
async function diagnose(app: App, call: Call): Promise<void> {
  const asks = !isOn(call.options, 'offline');
  const checks: Diagnosis[] = [
    fine('program', `macro ${CLIENT_VERSION} on ${app.platform.runtime}, ${app.platform.os}`),
    ...(await checkSafely('folders', () => folderChecks(app))),
    ...(await checkSafely('disk', () => diskChecks(app))),
    ...settingChecks(app),
    ...(await checkSafely('key', () => keyChecks(app))),
    ...(await checkSafely('mirror', () => mirrorChecks(app))),
  ];
  // Without a key that can be read nothing of the service can be told, not even whose rows are held.
  const canAsk = checks.every(({ check, state }) => check !== 'key' || state !== 'problem');
  if (!asks) checks.push(noteOf('answer', 'the service was not asked (--offline)', 'macro doctor'));
  if (canAsk && asks) checks.push(...(await checkSafely('answer', () => serviceChecks(app))));
  if (canAsk) checks.push(...(await checkSafely('tracked', () => trackChecks(app))));
  if (asks && isOn(call.options, 'publishers')) {
    const { publisherChecks } = await import('../app/publishers.ts');
    checks.push(...(await publisherChecks(app)));
  }
  checks.push(
    ...(await checkSafely('schedule', () => scheduleChecks(app))),
    ...(await checkSafely('completions', () => completionChecks(app))),
  );
  await printChecks(app, checks, { title: ['doctor'] });
}

async function scheduleChecks(app: App): Promise<readonly Diagnosis[]> {
  const found = await scheduleEntries(app);
  if (found.length === 0) {
    const isTracked = app.settings.tracks.value.length > 0;
    return [
      noteOf(
        'schedule',
        'no sync runs by itself',
        isTracked ? 'macro schedule install' : 'macro track add calendar usd',
      ),
    ];
  }
  const checks: Diagnosis[] = [];
  for (const { scheduler, entry } of found) {
    if ((await scheduler.isRunning()) === false) checks.push(problemOf('schedule', scheduler.notRunning()));
    else if (entry.next === undefined) checks.push(problemOf('schedule', noNextRun(scheduler.name)));
    else checks.push(fine('schedule', `${scheduler.name} runs it, next at ${instantText(entry.next)}`));
  }
  return [...checks, ...(await keyChecksOfRuns(app))];
}

function noNextRun(name: string): MacroError {
  return new MacroError('incomplete', `${name} has an entry but tells no next run.`, {
    code: 'no_next_run',
    hint: 'macro schedule install',
  });
}

/** A run that nobody begins at a terminal has no variables of one, and no desktop session. */
async function keyChecksOfRuns(app: App): Promise<readonly Diagnosis[]> {
  if (isTerminalKeyOnly(app))
    return [
      noteOf('schedule', 'scheduled runs have no key: it is in a variable of this terminal only', 'macro auth login'),
    ];
  try {
    await requireReadableKey(app, { env: environmentOf(app) });
    return [];
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    return [problemOf('schedule', error, 'macro auth move file')];
  }
}

/** @throws MacroError for a mirror that cannot be read */
async function mirrorChecks(app: App): Promise<readonly Diagnosis[]> {
  const path = app.settings.mirror.value;
  const mirror = (await app.mirrorIfAny())?.mirror;
  const fill = app.settings.baseUrl.value === undefined ? 'macro init' : 'macro sync fx eur usd';
  if (!mirror) return [noteOf('mirror', `there is none at ${path} yet`, fill), ...otherMirrorChecks(app)];
  const { service, nature } = await mirror.stamp();
  const [run] = await mirror.runs(1);
  const last = run ? `, last sync ${instantText(run.started)} ${run.outcome ?? 'under way'}` : ', never synced';
  const own = strangerCheck(app, service, nature) ?? fine('mirror', `${path}: ${nature ?? 'empty'}${last}`);
  return [own, rowsCheck(await lastVerified(app, mirror))];
}

/** Rows are too many to be looked at here. */
function rowsCheck(verified: Verified | undefined): Diagnosis {
  if (!verified) return noteOf('rows', 'stored rows were not checked, here or ever', 'macro mirror verify');
  const when = `last by macro mirror verify at ${instantText(verified.at)}`;
  if (verified.problems === 0) return fine('rows', `not checked here, ${when}`);
  const message = `Stored rows have ${verified.problems} problems, found ${when}.`;
  return problemOf(
    'rows',
    new MacroError('verification', message, { code: 'mirror_altered', hint: 'macro mirror verify' }),
  );
}

/** A mirror keeps the rows of one service: another one is refused when it is synced. */
function strangerCheck(
  { settings }: App,
  service: string | undefined,
  nature: string | undefined,
): Diagnosis | undefined {
  const { baseUrl, mirror, config } = settings;
  if (baseUrl.value === undefined || service === undefined || nature !== 'real') return undefined;
  const own = baseUrlOrigin(baseUrl.value);
  if (service === own || !URL.canParse(service)) return undefined;
  const [profile] = Object.entries(config.profiles).find(([, one]) => baseUrlOrigin(one.baseUrl) === service) ?? [];
  const cure = profile === undefined ? `macro status --base-url ${service}` : `macro profile use ${profile}`;
  const message = `The mirror ${mirror.value} belongs to ${service}, and the service is ${own}.`;
  return problemOf('mirror', new MacroError('mirror', message, { code: 'mirror_of_another', hint: cure }));
}

/** Mirrors of other profiles: what was synced under another name is not lost. */
function otherMirrorChecks({ platform: { files }, settings }: App): readonly Diagnosis[] {
  const { folders, mirror } = settings;
  const names = files.exists(folders.mirrors) ? files.list(folders.mirrors) : [];
  const others = names.filter((name) => /^[^.].*\.db$/.test(name) && join(folders.mirrors, name) !== mirror.value);
  return others.map((name) => {
    const path = join(folders.mirrors, name);
    return noteOf('mirror', `there is another one: ${path}`, `macro mirror status --mirror ${path}`);
  });
}

/** What is tracked, and how whole and fresh it is held. */
async function trackChecks(app: App): Promise<readonly Diagnosis[]> {
  const { states, mirror, lastRun } = await readStatus(app);
  if (states.length === 0)
    return [noteOf('tracked', 'nothing, so macro sync has nothing to do', 'macro track add calendar usd')];
  if (!mirror.open) return [noteOf('tracked', `${states.length} selections, none of them stored`, 'macro sync')];
  const failed: readonly Diagnosis[] =
    lastRun?.outcome === 'failed'
      ? [
          noteOf(
            'last run',
            `${instantText(lastRun.started)} failed: ${lastRun.problem ?? 'it ended without a word'}`,
            'macro sync',
          ),
        ]
      : [];
  const missingRanges = states.filter(({ held, series, gaps }) => held < series || gaps > 0);
  const stale = states.filter((state) => state.stale > 0);
  const age = Math.max(0, ...states.map(({ checkedAt }) => app.platform.clock.now() - (checkedAt ?? 0))) / 1000;
  if (missingRanges.length > 0)
    return [
      ...failed,
      noteOf('tracked', `${missingRanges.length} of ${states.length} selections have missing dates`, 'macro sync'),
    ];
  if (stale.length > 0)
    return [
      ...failed,
      noteOf(
        'tracked',
        `${stale.length} of ${states.length} selections are stale, the oldest is ${waitText(age)} old`,
        'macro sync',
      ),
    ];
  return [...failed, fine('tracked', `${states.length} selections are complete and fresh`)];
}

/** Folders that are there must take a file; those that are not there are made when they are needed. */
function folderChecks({ platform, settings }: App): readonly Diagnosis[] {
  const { files, os, pid } = platform;
  const checks: Diagnosis[] = [];
  for (const folder of new Set([settings.folders.config, settings.folders.state, settings.folders.mirrors])) {
    const mode = files.mode(folder);
    if (mode === undefined) continue;
    const probe = join(folder, `.probe-${pid}`);
    try {
      files.write(probe, '', 0o600);
      files.remove(probe);
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      checks.push(problemOf('folders', error, `chmod u+rwx ${folder}`));
      continue;
    }
    if (os !== 'windows' && (mode & 0o022) !== 0)
      checks.push(noteOf('folders', `others can write into ${folder}`, `chmod go-w ${folder}`));
  }
  return checks.length > 0
    ? checks
    : [fine('folders', `${settings.folders.config} and ${settings.folders.state} can be used`)];
}

/** Below this nothing of any size can be synced. */
const MIN_ROOM_BYTES = 100_000_000;

/** A sync grows the log of the mirror, a backup and a rebuild need its size once more. */
function diskChecks({ platform, settings }: App): readonly Diagnosis[] {
  const path = settings.mirror.value;
  if (isServerAddress(path)) return [];
  const { files } = platform;
  let folder = dirname(path);
  while (!files.exists(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const room = files.room(folder);
  if (room === undefined) return [];
  const bytes = files.size(path) ?? 0;
  const says = `${megabytes(room)} free at ${folder}`;
  const cure = 'Delete unneeded files there, or move the mirror to another disk: macro config set mirror FILE';
  if (room < MIN_ROOM_BYTES)
    return [problemOf('disk', new MacroError('mirror', `Only ${says}.`, { code: 'disk_full', hint: cure }))];
  if (room < bytes) return [noteOf('disk', `${says}, less than the mirror has: no backup fits beside it`, cure)];
  return [fine('disk', says)];
}

const megabytes = (bytes: number) => `${Math.floor(bytes / 1e6)} MB`;

/** Where each shell looks for completions of its user, and what puts them there. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  bash: ['.local/share/bash-completion/completions/macro', '.bashrc', '.bash_profile', '.bash_completion'],
  zsh: ['.zfunc/_macro', '.zshrc'],
  fish: ['.config/fish/completions/macro.fish', '.config/fish/config.fish'],
};

/** Whether Tab knows the words of this program in the shell of this user. */
async function completionChecks({ platform }: App): Promise<readonly Diagnosis[]> {
  const { files, home, env } = platform;
  const shell = env.SHELL?.split('/').at(-1) ?? '';
  const [own = '', ...startFiles] = PLACES[shell] ?? [];
  if (own === '') return [];
  const path = join(home, own);
  const isSourced = startFiles.some((name) => {
    const file = join(home, name);
    return files.exists(file) && files.readText(file).includes('macro completion');
  });
  if (isSourced && !files.exists(path)) return [fine('completions', `installed for ${shell}`)];
  if (files.exists(path)) return [await ownScriptCheck(shell, files.readText(path))];
  return [noteOf('completions', `not installed for ${shell}`, `macro completion install ${shell}`)];
}

/** A script that an older version wrote knows no newer words. */
async function ownScriptCheck(name: string, installed: string): Promise<Diagnosis> {
  const shell = SHELLS.find((known) => known === name);
  const { COMPLETION_SCRIPTS } = await import('../completion/scripts.ts');
  if (shell === undefined || installed === COMPLETION_SCRIPTS[shell])
    return fine('completions', `installed for ${name}`);
  return noteOf(
    'completions',
    `installed for ${name} by another version of this program`,
    `macro completion install ${name}`,
  );
}

function settingChecks(app: App): readonly Diagnosis[] {
  const { baseUrl, profile, warnings } = app.settings;
  const said = warnings.map((says) => noteOf('settings', says, 'macro config explain'));
  if (baseUrl.value === undefined) return [...said, noteOf('service', 'none is chosen', 'macro init')];
  const named = profile.value === undefined ? '' : `, profile ${profile.value}`;
  return [
    ...said,
    fine('service', `${baseUrl.value} (${baseUrl.from}${named})`),
    fine('proxy', noteProxy(app, baseUrl.value) ?? 'none'),
    ...certificateChecks(app),
  ];
}

function certificateChecks({ platform: { env, files } }: App): readonly Diagnosis[] {
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
function keyChecks(app: App): readonly Diagnosis[] {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return [];
  const found = findKey(app.platform, app.settings, baseUrl);
  if (!found) return [noteOf('key', 'none: USD of the last 90 days only', 'macro auth login')];
  return [fine('key', `${accessWith(app.platform, app.settings, baseUrl)} (${found.from})`)];
}

/** Makes the one request; then what it taught of the quota is known as well. */
async function serviceChecks(app: App): Promise<readonly Diagnosis[]> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return [];
  const { clock } = app.platform;
  const begun = clock.now();
  try {
    const { headers } = await sendDirect(openWire(app), { method: 'GET', target: '/v1/ping', signal: app.signal });
    const date = Date.parse(headers.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
    return [
      fine('answer', `the service answers after ${clock.now() - begun} ms`),
      ...(Number.isNaN(date) ? [] : [clockCheck(app, clock.now() - date)]),
      ...(await quotaChecks(app, baseUrl)),
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

function clockCheck({ platform }: App, difference: number): Diagnosis {
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return fine('clock', 'within 30 seconds of the service');
  const says = `${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the service: releases seem early or late`;
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

async function quotaChecks(app: App, baseUrl: string): Promise<readonly Diagnosis[]> {
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
