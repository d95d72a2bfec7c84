/** When a mirror was last verified as a whole: a file of the state folder, because a check changes no mirror. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../contract/json/json.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { App } from './app.ts';

export interface Verified {
  /** Milliseconds. */
  readonly at: number;
  readonly problems: number;
}

type Place = Pick<App, 'platform' | 'settings'>;
type Checked = Pick<Mirror, 'stamp' | 'name'>;

/** A copy has the id of its mirror, so the name of the file says where the mirror is, too, whoever asks its server. */
async function placeOf({ settings }: Place, mirror: Checked) {
  const { id } = await mirror.stamp();
  const place = mirror.name.replace(/^(postgres:\/\/)[^@/]*@/, '$1');
  const folder = join(settings.folders.state, 'verified');
  return { folder, path: join(folder, `${id}-${hash('sha256', place).slice(0, 16)}.json`) };
}

export async function noteVerified(app: Place, mirror: Checked, problems: number): Promise<void> {
  const { files, clock } = app.platform;
  const { folder, path } = await placeOf(app, mirror);
  files.makeFolder(folder, 0o700);
  files.write(path, `${JSON.stringify({ at: clock.now(), problems })}\n`, 0o600);
}

/** Undefined where nobody has verified it here. */
export async function lastVerified(app: Place, mirror: Checked): Promise<Verified | undefined> {
  const { files } = app.platform;
  const { path } = await placeOf(app, mirror);
  if (!files.exists(path)) return undefined;
  const found = parseJson(files.readText(path));
  if (!isJsonObject(found) || typeof found.at !== 'number' || typeof found.problems !== 'number') return undefined;
  return { at: found.at, problems: found.problems };
}
