import { checkPrefix } from '../../../client/http/wire.ts';
import { MacroError } from '../../../errors.ts';
import { checkMirrorName } from '../../../mirror/core/engine.ts';
import type { App } from '../../app/app.ts';
import { canAsk, openPrompts, type Prompts } from '../../app/prompts.ts';
import { baseUrlOrigin, checkBaseUrl } from '../../app/settings/base-url.ts';
import { type Profile, readConfig } from '../../app/settings/config-file.ts';
import { foldersOf } from '../../app/settings/folders.ts';
import { findKey, type KeyOwner } from '../../app/settings/keys.ts';
import { CUSTOM_PRESET, type Preset, presetNamed, readPresets } from '../../app/settings/presets.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { checkService, refusedKey } from '../auth/check-service.ts';
import { decideRefused, keepKey, readSecret } from '../auth/keep-key.ts';
import type { Call } from '../command.ts';
import { saveProfile } from '../profile/profile.ts';
import { setUp } from './set-up.ts';

/** How a person is asked; undefined where nobody is there, and options say everything. */
type Ask = Prompts | undefined;

/**
 * Chooses a service: its address, a name for it, and its key. The service is asked once, before anything is kept. Then it
 * offers what to track, the first sync, completions and a schedule. At a terminal what is missing is asked for; elsewhere
 * everything comes from options, and the key from standard input under `--key-stdin`.
 */
export async function init(app: App, call: Call): Promise<void> {
  const { options } = call;
  const ask = canAsk(app.platform) && !isOn(options, 'yes') ? await openPrompts(app.platform, app.signal) : undefined;
  const preset = await choosePreset(app, call, ask);
  const profile = await profileFrom(call, preset, ask);
  const name = textOption(options, 'profile') ?? (await askName(ask, preset));
  const owner = ownerOf(app, name, profile);
  const { key, hasKey, answers } = await acceptedKey(app, call, { ask, profile, owner });
  await saveProfile(app, name, profile);
  if (key) await keepKey(app, owner, { baseUrl: profile.baseUrl, key });
  else if (key === '') await app.note('No key was given, so none is kept.', 'no_key');
  await setUp(app, call, { ask, name, hasKey, answers });
  await app.note(
    `Try: macro announcements usd inflation${name === 'default' ? '' : ` --profile ${name}`}`,
    'next_step',
  );
}

/** Settings are not asked: they may still name another profile. */
function ownerOf({ platform }: App, name: string, profile: Profile): KeyOwner {
  const folders = foldersOf(platform);
  const config = readConfig(platform.files, folders);
  return {
    folders,
    config: { ...config, profiles: { ...config.profiles, [name]: profile } },
    profile: { value: name },
  };
}

async function choosePreset(app: App, { options }: Call, ask: Ask): Promise<Preset> {
  const presets = readPresets(app.platform);
  const named = textOption(options, 'preset');
  if (named !== undefined) return presetNamed(presets, named);
  if (textOption(options, 'base-url') !== undefined || !ask) return presetNamed(presets, CUSTOM_PRESET);
  const chosen = await ask.choose(
    'Which service?',
    presets.map(({ name, summary, baseUrl }) => ({
      value: name,
      label: [name, summary ?? baseUrl].filter((text) => text !== undefined).join(': '),
    })),
  );
  return presetNamed(presets, chosen);
}

/** The profile as it is going to be kept: what was typed counts more than the preset. */
async function profileFrom({ options }: Call, preset: Preset, ask: Ask): Promise<Profile> {
  const baseUrl = checkBaseUrl(textOption(options, 'base-url') ?? preset.baseUrl ?? (await askAddress(ask)));
  const streamUrl = textOption(options, 'stream-url') ?? preset.streamUrl;
  const headerPrefix = textOption(options, 'header-prefix') ?? preset.headerPrefix;
  const mirror = textOption(options, 'mirror');
  return {
    baseUrl,
    ...(streamUrl !== undefined && { streamUrl: checkBaseUrl(streamUrl) }),
    ...(headerPrefix !== undefined && { headerPrefix: checkPrefix(headerPrefix) }),
    ...(mirror !== undefined && { mirror: checkMirrorName(mirror) }),
  };
}

async function askAddress(ask: Ask): Promise<string> {
  if (ask)
    return ask.text({ message: 'Address of the service', placeholder: 'https://api.example.com', check: checkBaseUrl });
  throw new MacroError('usage', 'macro init needs the address of the service.', {
    hint: 'Type: macro init --base-url https://api.example.com --profile work --yes',
  });
}

async function askName(ask: Ask, { name }: Preset): Promise<string> {
  const usual = name === CUSTOM_PRESET ? 'default' : name;
  if (!ask) return usual;
  return (await ask.text({ message: 'Name for it', placeholder: usual })) || usual;
}

/**
 * The key to keep, once the service has seen it: empty when one was asked for and none came, undefined when nobody wanted
 * one. Nothing is kept before this. A key that questions would find without it, as that of the environment, is asked about
 * too, and stays where it is.
 *
 * @throws MacroError with exit 4 for a key that the service refuses and that nobody wants all the same
 */
async function acceptedKey(
  app: App,
  call: Call,
  { ask, profile, owner }: { ask: Ask; profile: Profile; owner: KeyOwner },
): Promise<{ key: string | undefined; hasKey: boolean; answers: boolean }> {
  const { baseUrl, headerPrefix } = profile;
  for (let isAgain = false; ; isAgain = true) {
    const key = await readKeyFor(app, call, { ask, baseUrl, isAgain });
    const found = key ? undefined : findKey(app.platform, owner, baseUrl);
    const hasKey = Boolean(key || found);
    if (isOn(call.options, 'offline')) return { key, hasKey, answers: false };
    const { answers, refusal } = await checkService(app, {
      baseUrl,
      key: key || found?.key,
      from: found?.from,
      headerPrefix,
    });
    if (found && refusal) {
      await warnOfFound(app, baseUrl, { from: found.from, refusal });
      return { key, hasKey, answers: false };
    }
    const decision = refusal ? await decideRefused(app, { ask, refusal }) : 'keep';
    if (decision === 'keep') return { key, hasKey, answers: answers && !refusal };
    if (decision === 'without') return { key: undefined, hasKey: false, answers };
    if (decision === 'stop' && refusal) throw refusedKey(baseUrl, refusal, 'macro init');
  }
}

async function warnOfFound(app: App, baseUrl: string, { from, refusal }: { from: string; refusal: MacroError }) {
  await app.warn(
    `${baseUrlOrigin(baseUrl)} refuses the key in ${from}: ${refusal.message} With it every request that needs a key ends with exit 4.`,
    'key_refused',
  );
}

async function readKeyFor(
  app: App,
  { options }: Call,
  from: { ask: Ask; baseUrl: string; isAgain: boolean },
): Promise<string | undefined> {
  if (isOn(options, 'key-stdin')) return readSecret(app, `API key for ${from.baseUrl}`);
  if (!from.ask) return undefined;
  const keep = from.isAgain || (await from.ask.confirm('Keep an API key for it? It is needed for anything but USD.'));
  return keep ? from.ask.secret(`API key for ${from.baseUrl}`) : undefined;
}
