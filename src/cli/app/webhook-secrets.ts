import { join, resolve } from 'node:path';
import type { Redacted } from '../../client/http/key.ts';
import { isJsonObject, type Json, parseJson } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Call } from '../commands/command.ts';
import { textOption } from '../parse/options.ts';
import type { App } from './app.ts';
import type { Folders } from './config-file.ts';
import { fileNamePart, originFileName } from './settings.ts';

const PRIVATE = 0o600;

/** The previous secret still signs deliveries under way. See docs/interface-events.md#webhook-subscriptions. */
const OVERLAP_HOURS = 36;

/** A signing secret of a subscription and when it is good; instants are ISO. */
interface StoredSecret {
  readonly secret: string;
  readonly from: string;
  readonly until?: string;
}

export interface SecretLocation {
  readonly baseUrl: string;
  readonly id: string;
}

type World = Pick<Platform, 'files' | 'clock' | 'pid'>;

/** Checks that a secret can be stored, before a service is asked for it: it is shown only once. */
export function prepareSecrets({ files, pid }: World, folders: Folders, baseUrl: string): void {
  const folder = folderOf(folders, baseUrl);
  files.makeFolder(folder, 0o700);
  const probe = join(folder, `.probe-${pid}`);
  files.write(probe, '', PRIVATE);
  files.remove(probe);
}

/** Keeps a secret, readable by its owner only; the one before it stays good for a while. Gives the path. */
export function keepSecret(
  world: World,
  folders: Folders,
  kept: SecretLocation & { readonly secret: Redacted },
): string {
  const { files, clock } = world;
  const path = pathOf(folders, kept);
  const now = Math.floor(clock.now() / 1000);
  const [last, ...older] = readSecrets(files, path);
  const until = isoSeconds(now + OVERLAP_HOURS * 3600);
  const secrets = [
    { secret: kept.secret.reveal(), from: isoSeconds(now) },
    ...(last ? [{ ...last, until: last.until ?? until }] : []),
    ...older,
  ].filter((one: StoredSecret) => one.until === undefined || one.until > isoSeconds(now));
  files.makeFolder(folderOf(folders, kept.baseUrl), 0o700);
  files.write(path, `${JSON.stringify({ subscription_id: kept.id, secrets })}\n`, PRIVATE);
  return path;
}

/** Every secret that deliveries of a service may be signed with now, newest first in each subscription. */
function goodSecrets({ files, clock }: World, folders: Folders, baseUrl: string): readonly string[] {
  const folder = folderOf(folders, baseUrl);
  if (!files.exists(folder)) return [];
  const now = isoSeconds(Math.floor(clock.now() / 1000));
  const kept = files.list(folder).filter((name) => name.endsWith('.json'));
  return kept
    .flatMap((name) => readSecrets(files, join(folder, name)))
    .filter(({ until }) => until === undefined || until > now)
    .map(({ secret }) => secret);
}

export function forgetSecrets({ files }: World, folders: Folders, place: SecretLocation): void {
  const path = pathOf(folders, place);
  if (files.exists(path)) files.remove(path);
}

/** Newest first. An unreadable file is useless, so a new file takes its place. */
function readSecrets(files: Platform['files'], path: string): readonly StoredSecret[] {
  if (!files.exists(path)) return [];
  const found = parseJson(files.readText(path));
  const list = isJsonObject(found) && Array.isArray(found.secrets) ? found.secrets : [];
  return list.flatMap((one: Json) => {
    if (!isJsonObject(one) || typeof one.secret !== 'string' || typeof one.from !== 'string') return [];
    return [{ secret: one.secret, from: one.from, ...(typeof one.until === 'string' && { until: one.until }) }];
  });
}

function folderOf(folders: Folders, baseUrl: string): string {
  return join(folders.state, 'webhooks', originFileName(baseUrl));
}

function pathOf(folders: Folders, { baseUrl, id }: SecretLocation): string {
  return join(folderOf(folders, baseUrl), `${id.replace(/[^A-Za-z0-9_-]+/g, fileNamePart)}.json`);
}

/** The secrets of a named file, else of the environment and of `webhooks create`. @throws MacroError of kind `auth`. */
export function signingSecrets(app: App, call: Call): readonly string[] {
  const { env, files, cwd } = app.platform;
  const file = textOption(call.options, 'secret-file');
  const { baseUrl, folders } = app.settings;
  const kept = () => (baseUrl.value === undefined ? [] : goodSecrets(app.platform, folders, baseUrl.value));
  const found =
    file === undefined
      ? [...(env.MACRO_WEBHOOK_SECRET ?? '').split(','), ...kept()]
      : files.readText(resolve(cwd, file)).split(/\r?\n/);
  const secrets = [...new Set(found.map((secret) => secret.trim()).filter((secret) => secret !== ''))];
  if (secrets.length > 0) return secrets;
  throw new MacroError('auth', 'There is no signing secret to check with.', {
    code: 'no_signing_secret',
    hint: 'Give it in MACRO_WEBHOOK_SECRET (several are separated by commas), or in a file with --secret-file.',
  });
}
