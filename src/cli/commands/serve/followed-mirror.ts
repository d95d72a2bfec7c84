// A mirror whose file may be moved, replaced or restored under a program that runs for long.
import { MacroError } from '../../../errors.ts';
import type { Mirror, MirrorState } from '../../../mirror/api/mirror.ts';
import { requireOwnService } from '../../../source/named-service.ts';
import type { App } from '../../app/app.ts';
import type { OpenHandleOptions } from '../../app/mirror-handle.ts';

/** Milliseconds that the whole server stands still at most, while another program writes the mirror. */
export const SERVE_BUSY_MS = 100;

type Opening = Pick<OpenHandleOptions, 'mode' | 'service'>;

/**
 * A mirror that is opened anew once its name means another file. Answers of the file before it are of no state of this one,
 * so no word for a state is used twice. While there is no such file, or one of another service, every operation fails.
 */
export async function followFile(
  app: Pick<App, 'openMirror'>,
  first: Mirror,
  { mode, service: named }: Opening,
): Promise<Mirror> {
  // A mirror on a server keeps its place.
  if (first.shared) return first;
  const service = named ?? (await first.stamp()).service;
  return followed(first, () => openAnew(app, first.name, { mode, service }));
}

/** Opens what has the name of a mirror by now. A file that is not there is not made. */
async function openAnew(app: Pick<App, 'openMirror'>, path: string, { mode, service }: Opening): Promise<Mirror> {
  const read = await app.openMirror({ path, mode: 'read' });
  await requireOwnService({ mirror: read, service });
  if (mode === 'read') return read;
  read.close();
  return app.openMirror({ path, mode, busyTimeout: SERVE_BUSY_MS });
}

function followed(first: Mirror, reopen: () => Promise<Mirror>): Mirror {
  let [current, files, unanswered] = [first, 0, 0];
  let opening: Promise<void> | undefined;

  function follow(from: Mirror): Promise<void> {
    // Somebody else's question may have opened it meanwhile.
    if (current !== from) return Promise.resolve();
    opening ??= reopen()
      .then((opened) => {
        current = opened;
        files += 1;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  }

  async function again<T>(work: (mirror: Mirror) => T | Promise<T>): Promise<T> {
    const used = current;
    try {
      return await work(used);
    } catch (error) {
      if (!isMoved(error)) throw error;
      await follow(used);
      return work(current);
    }
  }

  /** The state of the file that is open, as a word that no state of another file has. */
  const state = (): MirrorState => {
    try {
      return `${files} ${current.state?.()}`;
    } catch (error) {
      if (!isMoved(error)) throw error;
      // The next read opens the new file; nothing that was cached is of its state.
      unanswered += 1;
      return `moved ${unanswered}`;
    }
  };

  const own = {
    ...(first.state && { state }),
    look: () => again(async (mirror) => `${files} ${await mirror.look()}`),
    async snapshot<T>(read: Parameters<Mirror['snapshot']>[0]): Promise<T> {
      let hasBegun = false;
      const work: typeof read = (reader) => {
        hasBegun = true;
        return read(reader);
      };
      const used = current;
      try {
        return (await used.snapshot(work)) as T; // as its reader gives
      } catch (error) {
        if (!isMoved(error) || hasBegun) throw error;
        await follow(used);
        return (await current.snapshot(work)) as T; // as above
      }
    },
  };

  const members = (of: (mirror: Mirror) => object): ProxyHandler<object> => ({
    get(_, name) {
      const value = Reflect.get(of(current), name);
      if (typeof value === 'object' && value !== null)
        return new Proxy(
          value,
          members((mirror) => Reflect.get(of(mirror), name)),
        );
      if (typeof value !== 'function' || name === 'close') return value;
      return (...args: unknown[]) => again((mirror) => Reflect.get(of(mirror), name)(...args));
    },
  });
  const rest = members((mirror) => mirror);
  return new Proxy(first, {
    get: (target, name, receiver) =>
      Object.hasOwn(own, name) ? Reflect.get(own, name) : rest.get?.(target, name, receiver),
  });
}

function isMoved(error: unknown): boolean {
  return error instanceof MacroError && error.code === 'mirror_moved';
}
