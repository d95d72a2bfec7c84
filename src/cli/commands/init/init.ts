import { MacroError } from '../../../errors.ts';
import { checkMirrorName } from '../../../mirror/core/engine.ts';
import type { App } from '../../app/app.ts';
import { canAsk, openPrompts, type Prompts } from '../../app/prompts.ts';
import { checkBaseUrl } from '../../app/settings/base-url.ts';
import { readConfig, writeConfig } from '../../app/settings/config-file.ts';
import { foldersOf } from '../../app/settings/folders.ts';
import type { KeyOwner } from '../../app/settings/keys.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { keepKey, readSecret } from '../auth/auth.ts';
import { checkService } from '../auth/check-service.ts';
import type { Call } from '../command.ts';
import { saveProfile } from '../profile/profile.ts';

/**
 * Chooses a service: its address, a name for it, and its key. At a terminal what is missing is asked for; elsewhere
 * everything comes from options, and the key from standard input under `--key-stdin`.
 */
export async function init(app: App, call: Call): Promise<void> {
  const { options } = call;
  const ask = canAsk(app.platform) && !isOn(options, 'yes') ? await openPrompts(app.platform, app.signal) : undefined;
  const baseUrl = checkBaseUrl(textOption(options, 'base-url') ?? (await askAddress(ask)));
  const name = textOption(options, 'profile') ?? (await askName(ask));
  const key = await readKeyFor(app, call, { ask, baseUrl });
  const mirror = textOption(options, 'mirror');
  await saveProfile(app, name, { baseUrl, ...(mirror !== undefined && { mirror: checkMirrorName(mirror) }) });
  if (!isOn(options, 'offline')) await checkService(app, { baseUrl, key: key || undefined });
  if (key) await keepKey(app, ownerOf(app, name), { baseUrl, key });
  else if (key === '') await app.note('No key was given, so none is kept.', 'no_key');
  const under = name === 'default' ? '' : ` --profile ${name}`;
  await offerTracks(app, { ask, name, hasKey: key !== undefined && key !== '', under });
  await app.note(`Try: macro announcements usd inflation${under}`, 'next_step');
}

/** Settings are not asked: they may still name another profile. */
function ownerOf({ platform }: App, name: string): KeyOwner {
  const folders = foldersOf(platform);
  return { folders, config: readConfig(platform.files, folders), profile: { value: name } };
}

/** What a new mirror may well start with; without a key only what anybody may see. */
const START = ['calendar usd', 'announcements usd inflation', 'announcements usd policy_rate', 'sentiment'];
const START_WITH_KEY = [...START, 'fx eur usd'];

/** Offers a start of what `macro sync` keeps; where nobody can be asked, names the command. */
async function offerTracks(
  app: App,
  { ask, name, hasKey, under }: { ask: Prompts | undefined; name: string; hasKey: boolean; under: string },
): Promise<void> {
  const { files } = app.platform;
  const folders = foldersOf(app.platform);
  const config = readConfig(files, folders);
  const profile = config.profiles[name];
  if (!profile || (profile.tracks ?? config.tracks ?? []).length > 0) return;
  const tracks = hasKey ? START_WITH_KEY : START;
  const words = tracks.join(', ');
  const wants = await ask?.confirm(`Keep a small mirror up to date with macro sync: ${words}?`);
  if (!wants) return app.note(`To keep a mirror: macro track add ${words}${under}`, 'next_step');
  await writeConfig(files, folders, { ...config, profiles: { ...config.profiles, [name]: { ...profile, tracks } } });
  await app.note(`Tracked: ${words}. macro sync --plan${under} tells what that costs.`, 'tracked');
}

async function askAddress(ask: Prompts | undefined): Promise<string> {
  if (ask)
    return ask.text({ message: 'Address of the service', placeholder: 'https://api.example.com', check: checkBaseUrl });
  throw new MacroError('usage', 'macro init needs the address of the service.', {
    hint: 'Type: macro init --base-url https://api.example.com --profile work --yes',
  });
}

async function askName(ask: Prompts | undefined): Promise<string> {
  if (!ask) return 'default';
  return (await ask.text({ message: 'Name for it', placeholder: 'default' })) || 'default';
}

/** Empty when one was asked for and none came; undefined when nobody wanted one. */
async function readKeyFor(
  app: App,
  { options }: Call,
  from: { ask: Prompts | undefined; baseUrl: string },
): Promise<string | undefined> {
  if (isOn(options, 'key-stdin')) return readSecret(app, `API key for ${from.baseUrl}`);
  if (!from.ask) return undefined;
  const keep = await from.ask.confirm('Keep an API key for it? It is needed for anything but USD.');
  return keep ? from.ask.secret(`API key for ${from.baseUrl}`) : undefined;
}
