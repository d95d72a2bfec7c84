import type { App } from '../../app/app.ts';

/** Does the work; when a mirror that belonged to nobody belongs to a service after it, that is said once. */
export async function noteBinding<T>(app: App, work: () => Promise<T>): Promise<T> {
  const handle = await app.mirrorIfAny();
  const before = await handle?.mirror.stamp();
  const result = await work();
  if (!handle || before?.service !== undefined) return result;
  const { service } = await handle.mirror.stamp();
  if (service !== undefined)
    await app.note(`The mirror ${app.settings.mirror.value} belongs to ${service} from now on.`, 'mirror_bound');
  return result;
}
