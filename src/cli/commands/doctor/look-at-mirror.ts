// The mirror: whether it can be read, whose it is, how old it is, and whether it holds what is tracked.
import { join } from 'node:path';
import { waitText } from '../../../client/text.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { baseUrlOrigin } from '../../app/settings/base-url.ts';
import { instantText } from '../../messages/instant.ts';
import type { StatusReport } from '../status/read-status.ts';
import { type Diagnosis, fine, noteOf, problemOf } from './look.ts';

/** @throws MacroError for a mirror that cannot be read */
export async function mirrorLooks(app: App): Promise<readonly Diagnosis[]> {
  const path = app.settings.mirror.value;
  const mirror = (await app.mirrorIfAny())?.mirror;
  const fill = app.settings.baseUrl.value === undefined ? 'macro init' : 'macro sync fx eur usd';
  if (!mirror) return [noteOf('mirror', `there is none at ${path} yet`, fill), ...otherMirrorLooks(app)];
  const { service, nature } = await mirror.stamp();
  const [run] = await mirror.runs(1);
  const last = run ? `, last sync ${instantText(run.started)} ${run.outcome ?? 'under way'}` : ', never synced';
  return [strangerLook(app, service, nature) ?? fine('mirror', `${path}: ${nature ?? 'empty'}${last}`)];
}

/** A mirror keeps the rows of one service: another one is refused when it is synced. */
function strangerLook(
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
function otherMirrorLooks({ platform: { files }, settings }: App): readonly Diagnosis[] {
  const { folders, mirror } = settings;
  const names = files.exists(folders.mirrors) ? files.list(folders.mirrors) : [];
  const others = names.filter((name) => /^[^.].*\.db$/.test(name) && join(folders.mirrors, name) !== mirror.value);
  return others.map((name) => {
    const path = join(folders.mirrors, name);
    return noteOf('mirror', `there is another one: ${path}`, `macro mirror status --mirror ${path}`);
  });
}

/** What is tracked, and how whole and fresh it is held. */
export function trackLooks(app: App, { states, mirror, lastRun }: StatusReport): readonly Diagnosis[] {
  if (states.length === 0)
    return [noteOf('tracked', 'nothing, so macro sync has nothing to do', 'macro track add calendar usd')];
  if (!mirror.open) return [noteOf('tracked', `${states.length} selections, nothing of them is held`, 'macro sync')];
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
  const holes = states.filter(({ held, targets, gaps }) => held < targets.length || gaps > 0);
  const stale = states.filter((state) => state.stale > 0);
  const age = Math.max(0, ...states.map(({ checkedAt }) => app.platform.clock.now() - (checkedAt ?? 0))) / 1000;
  if (holes.length > 0)
    return [
      ...failed,
      noteOf('tracked', `${holes.length} of ${states.length} selections are not held as a whole`, 'macro sync'),
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
  return [...failed, fine('tracked', `${states.length} selections are held as a whole and fresh`)];
}
