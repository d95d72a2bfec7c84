import { dirname, join } from 'node:path';
import { CLIENT_VERSION } from '../../client/http/version.ts';
import { readBudgets } from '../../client/quota/budgets.ts';
import { waitText } from '../../client/text.ts';
import { MacroError, unlessRefused } from '../../errors.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import type { App } from '../app/app.ts';
import { accessWith, findKey } from '../app/keys.ts';
import { mirrorsIn } from '../app/other-mirrors.ts';
import { noteProxy, openWire, pingService, readAccount } from '../app/service.ts';
import { baseUrlOrigin } from '../app/settings.ts';
import { lastVerified, type Verified } from '../app/verified.ts';
import { SHELLS } from '../completion/shells.ts';
import { isOn } from '../parse/options.ts';
import { instantText } from '../print/rows.ts';
import {
  checkSafely,
  clockText,
  DIAGNOSIS,
  type Diagnosis,
  findings,
  MAX_CLOCK_DIFFERENCE_MS,
  presentFolder,
  printChecks,
} from './checks.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';
import { environmentOf, isTerminalKeyOnly, requireReadableKey, scheduleEntries } from './schedule/schedule.ts';
import { failedTracks, MIRROR_GONE, readStatus } from './status.ts';

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

/** Beyond this signatures of deliveries are refused. */
const BROKEN_CLOCK_MS = 300_000;

/** Prints one line for each part, with one request, and one to each publisher on demand. @throws MacroError the first problem found. */
async function diagnose(app: App, call: Call): Promise<void> {
  const asks = !isOn(call.options, 'offline');
  const { runtime, os } = app.platform;
  const checks: Diagnosis[] = [
    findings('program').fine(`macro ${CLIENT_VERSION} on ${runtime}, ${os}`),
    ...(await checkSafely('folders', () => folderChecks(app))),
    ...(await checkSafely('disk', () => diskCheck(app))),
    ...settingChecks(app),
    ...(await checkSafely('key', () => keyCheck(app))),
    ...(await checkSafely('mirror', () => mirrorChecks(app))),
  ];
  // Without a readable key the service cannot be checked, and not even the owner of stored rows is known.
  const canAsk = checks.every(({ check, state }) => check !== 'key' || state !== 'problem');
  if (!asks) checks.push(findings('answer').note('the service was not asked (--offline)', 'macro doctor'));
  if (canAsk && asks) checks.push(...(await serviceChecks(app)));
  if (canAsk) checks.push(...(await checkSafely('tracked', () => trackChecks(app))));
  if (asks && isOn(call.options, 'publishers')) {
    const { publisherChecks } = await import('../app/publishers.ts');
    checks.push(...(await publisherChecks(app)));
  }
  checks.push(
    ...(await checkSafely('schedule', () => scheduleChecks(app))),
    ...(await checkSafely('completions', () => completionCheck(app))),
  );
  await printChecks(app, checks, { title: ['doctor'] });
}

async function scheduleChecks(app: App): Promise<readonly Diagnosis[]> {
  const { fine, note, problem } = findings('schedule');
  const found = await scheduleEntries(app);
  const isTracked = app.settings.tracks.value.length > 0;
  if (found.length === 0)
    return [note('no sync runs by itself', isTracked ? 'macro schedule install' : 'macro track add calendar usd')];
  const checks: Diagnosis[] = [];
  for (const { scheduler, entry, trouble } of found)
    checks.push(trouble ? problem(trouble) : fine(`${scheduler.name} runs it, next at ${instantText(entry.next)}`));
  // A run that nobody begins at a terminal has no variables of one, and no desktop session.
  if (isTerminalKeyOnly(app))
    return [
      ...checks,
      note('scheduled runs have no key: it is in a variable of this terminal only', 'macro auth login'),
    ];
  const unread = await unlessRefused(
    () => requireReadableKey(app, { env: environmentOf(app) }),
    (error) => problem(error, 'macro auth move file'),
  );
  return [...checks, ...(unread ? [unread] : [])];
}

/** @throws MacroError for a mirror that cannot be read */
async function mirrorChecks(app: App): Promise<readonly Diagnosis[]> {
  const { fine, note } = findings('mirror');
  const path = app.settings.mirror.value;
  const mirror = (await app.mirrorIfAny())?.mirror;
  const fill = app.settings.baseUrl.value === undefined ? 'macro init' : 'macro sync fx eur usd';
  const cure = app.settings.tracks.value.length > 0 ? MIRROR_GONE : fill;
  if (!mirror) return [note(`there is none at ${path}`, cure), ...otherMirrorChecks(app)];
  const { service, nature } = await mirror.stamp();
  const [run] = await mirror.runs(1);
  const last = run ? `, last sync ${instantText(run.started)} ${run.outcome ?? 'under way'}` : ', never synced';
  const own = strangerCheck(app, service, nature) ?? fine(`${path}: ${nature ?? 'empty'}${last}`);
  return [own, rowsCheck(await lastVerified(app, mirror))];
}

/** Rows are too many to be looked at here. */
function rowsCheck(verified: Verified | undefined): Diagnosis {
  const { fine, note, problem } = findings('rows');
  if (!verified) return note('not checked here; macro mirror verify never ran on this machine', 'macro mirror verify');
  const when = `last by macro mirror verify at ${instantText(verified.at)}`;
  if (verified.problems === 0) return fine(`not checked here, ${when}`);
  const message = `Stored rows have ${verified.problems} problems, found ${when}.`;
  return problem(new MacroError('verification', message, { code: 'mirror_altered', hint: 'macro mirror verify' }));
}

/** A mirror keeps the rows of one service: another one is refused when it is synced. */
function strangerCheck({ settings }: App, service: string | undefined, nature: string | undefined) {
  const { baseUrl, mirror, config } = settings;
  if (baseUrl.value === undefined || service === undefined || nature !== 'real') return undefined;
  const own = baseUrlOrigin(baseUrl.value);
  if (service === own || !URL.canParse(service)) return undefined;
  const [profile] = Object.entries(config.profiles).find(([, one]) => baseUrlOrigin(one.baseUrl) === service) ?? [];
  const cure = profile === undefined ? `macro status --base-url ${service}` : `macro profile use ${profile}`;
  const message = `The mirror ${mirror.value} belongs to ${service}, and the service is ${own}.`;
  return findings('mirror').problem(new MacroError('mirror', message, { code: 'mirror_of_another', hint: cure }));
}

/** Mirrors of other profiles: data that was synced under another name is not lost. */
function otherMirrorChecks({ platform: { files }, settings }: App): readonly Diagnosis[] {
  const { folders, mirror } = settings;
  return mirrorsIn(folders.mirrors, files)
    .filter((path) => path !== mirror.value)
    .map((path) => findings('mirror').note(`there is another one: ${path}`, `macro mirror status --mirror ${path}`));
}

/** The tracked selections, and how complete and fresh they are. */
async function trackChecks(app: App): Promise<readonly Diagnosis[]> {
  const { fine, note } = findings('tracked');
  const { states, mirror, lastRun } = await readStatus(app);
  const count = states.length;
  if (count === 0) return [note('nothing, so macro sync has nothing to do', 'macro track add calendar usd')];
  if (!mirror.open) return [note(`${count} selections, none of them stored: there is no mirror`, MIRROR_GONE)];
  const failure = `${instantText(lastRun?.started)} failed: ${lastRun?.problem ?? 'it ended without a word'}`;
  const failed = lastRun && failedTracks(lastRun, states) ? [findings('last run').note(failure, 'macro sync')] : [];
  const open = states.filter(({ storedCount, series, gaps }) => storedCount < series || gaps > 0).length;
  const stale = states.filter((state) => state.stale > 0).length;
  const age = Math.max(0, ...states.map(({ checkedAt }) => app.platform.clock.now() - (checkedAt ?? 0))) / 1000;
  if (open > 0) return [...failed, note(`${open} of ${count} selections have missing dates`, 'macro sync')];
  if (stale > 0)
    return [
      ...failed,
      note(`${stale} of ${count} selections are stale, the oldest is ${waitText(age)} old`, 'macro sync'),
    ];
  return [...failed, fine(`${count} selections are complete and fresh`)];
}

/** Existing folders must take a file, and so must files of the mirror; missing ones are made when needed. */
async function folderChecks({ platform, settings }: App): Promise<readonly Diagnosis[]> {
  const { fine, note, problem } = findings('folders');
  const { files, os, pid } = platform;
  const { config, state, mirrors } = settings.folders;
  const { value: mirror } = settings.mirror;
  const own = new Set([config, state, mirrors]);
  const checks: Diagnosis[] = [];
  for (const folder of new Set([...own, ...(isServerAddress(mirror) ? [] : [presentFolder(dirname(mirror), files)])])) {
    const mode = files.mode(folder);
    if (mode === undefined) continue;
    const probe = join(folder, `.probe-${pid}`);
    const write = () => {
      files.write(probe, '', 0o600);
      files.remove(probe);
    };
    const unusable = await unlessRefused(write, (error) =>
      problem(error, error.code === 'EROFS' ? error.hint : `chmod u+rwx ${folder}`),
    );
    if (unusable) checks.push(unusable);
    else if (own.has(folder) && os !== 'windows' && (mode & 0o022) !== 0)
      checks.push(note(`others can write into ${folder}`, `chmod go-w ${folder}`));
  }
  return checks.length > 0 ? checks : [fine(`${config} and ${state} can be used`)];
}

/** Below this nothing of any size can be synced. */
const MIN_ROOM_BYTES = 100_000_000;

/** A sync grows the log of the mirror, a backup and a rebuild need its size once more. */
function diskCheck({ platform: { files }, settings }: App): Diagnosis | readonly Diagnosis[] {
  const { fine, note, problem } = findings('disk');
  const path = settings.mirror.value;
  if (isServerAddress(path)) return [];
  const folder = presentFolder(dirname(path), files);
  const room = files.room(folder);
  if (room === undefined) return [];
  const says = `${Math.floor(room / 1e6)} MB free at ${folder}`;
  const cure = 'Delete unneeded files there, or move the mirror to another disk: macro config set mirror FILE';
  if (room < MIN_ROOM_BYTES)
    return problem(new MacroError('mirror', `Only ${says}.`, { code: 'disk_full', hint: cure }));
  if (room < (files.size(path) ?? 0)) return note(`${says}, less than the mirror has: no backup fits beside it`, cure);
  return fine(says);
}

/** Where each shell looks for completions of its user, and what puts them there. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  bash: ['.local/share/bash-completion/completions/macro', '.bashrc', '.bash_profile', '.bash_completion'],
  zsh: ['.zfunc/_macro', '.zshrc'],
  fish: ['.config/fish/completions/macro.fish', '.config/fish/config.fish'],
};

/** Whether Tab knows the words of this program in the shell of this user. A script of an older version knows no newer words. */
async function completionCheck({ platform }: App): Promise<Diagnosis | readonly Diagnosis[]> {
  const { fine, note } = findings('completions');
  const { files, home, env } = platform;
  const name = env.SHELL?.split('/').at(-1) ?? '';
  const [own = '', ...startFiles] = PLACES[name] ?? [];
  if (own === '') return [];
  const [path, ...sources] = [own, ...startFiles].map((file) => join(home, file));
  const isSourced = sources.some((file) => files.exists(file) && files.readText(file).includes('macro completion'));
  const install = `macro completion install ${name}`;
  if (path === undefined || !files.exists(path))
    return isSourced ? fine(`installed for ${name}`) : note(`not installed for ${name}`, install);
  const shell = SHELLS.find((known) => known === name);
  const { COMPLETION_SCRIPTS } = await import('../completion/scripts.ts');
  if (shell === undefined || files.readText(path) === COMPLETION_SCRIPTS[shell]) return fine(`installed for ${name}`);
  return note(`installed for ${name} by another version of this program`, install);
}

function settingChecks(app: App): readonly Diagnosis[] {
  const { baseUrl, profile, warnings } = app.settings;
  const service = findings('service');
  const said = warnings.map((says) => findings('settings').note(says, 'macro config explain'));
  if (baseUrl.value === undefined) return [...said, service.note('none is chosen', 'macro init')];
  const named = profile.value === undefined ? '' : `, profile ${profile.value}`;
  return [
    ...said,
    service.fine(`${baseUrl.value} (${baseUrl.from}${named})`),
    findings('proxy').fine(noteProxy(app, baseUrl.value) ?? 'none'),
    ...certificateChecks(app),
  ];
}

function certificateChecks({ platform: { env, files } }: App): readonly Diagnosis[] {
  const { fine, note } = findings('certificates');
  const [unsafe, file] = ['NODE_TLS_REJECT_UNAUTHORIZED', env.NODE_EXTRA_CA_CERTS];
  if (env[unsafe] === '0') return [note(`${unsafe}=0: any server passes for the service`, `unset ${unsafe}`)];
  if (file === undefined || file === '') return [];
  if (files.exists(file)) return [fine(`${file} (NODE_EXTRA_CA_CERTS)`)];
  return [note(`there is no file ${file} (NODE_EXTRA_CA_CERTS)`, 'unset NODE_EXTRA_CA_CERTS')];
}

/** @throws MacroError for a key that others can read, or that cannot be one */
function keyCheck({ platform, settings }: App): Diagnosis | readonly Diagnosis[] {
  const { fine, note } = findings('key');
  const { value: baseUrl } = settings.baseUrl;
  if (baseUrl === undefined) return [];
  const found = findKey(platform, settings, baseUrl);
  if (!found) return note('none: USD of the last 90 days only', 'macro auth login');
  return fine(`${accessWith(platform, settings, baseUrl)} (${found.from})`);
}

/** Makes the one request; then what it taught of the quota is known as well. */
async function serviceChecks(app: App): Promise<readonly Diagnosis[]> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return [];
  const { fine, problem } = findings('answer');
  const { clock } = app.platform;
  const begun = clock.now();
  const ask = async (): Promise<readonly Diagnosis[]> => {
    const { headers } = await pingService(openWire(app), app.signal);
    const date = Date.parse(headers.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
    return [
      fine(`the service answers after ${clock.now() - begun} ms`),
      ...(Number.isNaN(date) ? [] : [clockCheck(app, clock.now() - date)]),
      ...(await quotaChecks(app, baseUrl)),
    ];
  };
  return [await unlessRefused(ask, (error) => problem(error, cureOf(app, error)))].flat();
}

function cureOf({ settings }: App, { kind, hint }: MacroError): string | undefined {
  if (kind === 'auth') return 'macro auth login';
  if (kind !== 'upstream') return hint;
  const { baseUrl, profile } = settings;
  const isProfile = baseUrl.from.startsWith('profile ');
  const change = isProfile ? `macro profile add ${profile.value} --base-url URL` : `Correct ${baseUrl.from}`;
  return `If the address is wrong: ${change}. Until the service answers: macro --offline works from the mirror.`;
}

function clockCheck({ platform }: App, difference: number): Diagnosis {
  const { fine, note, problem } = findings('clock');
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return fine('within 30 seconds of the service');
  const says = `${clockText(difference)} the service: releases seem early or late`;
  const cure = `Set the clock of this machine: ${CLOCK_COMMANDS[platform.os]}`;
  if (Math.abs(difference) < BROKEN_CLOCK_MS) return note(says, cure);
  const message = `The clock of this machine is ${says}.`;
  return problem(new MacroError('incomplete', message, { code: 'clock_wrong', hint: cure }));
}

const CLOCK_COMMANDS: Readonly<Record<App['platform']['os'], string>> = {
  linux: 'sudo timedatectl set-ntp true',
  macos: 'sudo systemsetup -setusingnetworktime on',
  windows: 'w32tm /resync',
};

async function quotaChecks(app: App, baseUrl: string): Promise<readonly Diagnosis[]> {
  const { fine, note } = findings('quota');
  const now = app.platform.clock.now();
  const found: Diagnosis[] = [];
  const account = await readAccount(app, baseUrl, (text) => {
    found.push(note(text, 'macro mirror prepare --grant-to ROLE'));
  });
  const budgets = readBudgets(account, now).filter(({ resetsAt }) => resetsAt !== undefined);
  const spent = budgets.find(({ left }) => left === 0);
  const text = budgets.map(({ budget, left, limit }) => `${budget} ${left} of ${limit}`).join(', ');
  if (spent)
    found.push(note(`the budget of this ${spent.budget} is spent until ${instantText(spent.resetsAt)}`, 'macro quota'));
  else if (text !== '') found.push(fine(`${text} left`));
  return found;
}
