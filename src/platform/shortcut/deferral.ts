import type { Connection } from '../connections.ts';

/** The time from a request that the parser did not see to its answer. */
export interface Deferral {
  begin(): void;
  /** True when it was begun. */
  end(): boolean;
  /** Keeps what the peer says meanwhile. False when there is no need to. */
  hold(bytes: Buffer, feed: (bytes: Buffer) => void): boolean;
  /** Feeds what was kept. */
  release(): void;
}

/**
 * Meanwhile the connection is as busy as with any other request, for `silence` milliseconds of silence at most. Nothing is
 * parsed: Node answers some requests by itself, at once, since it knows of no answer before theirs.
 */
export function createDeferral({ socket, queue }: Connection, silence: number): Deferral {
  let isOn = false;
  let idle: number | undefined;
  let held: { readonly bytes: Buffer; readonly feed: (bytes: Buffer) => void } | undefined;
  return {
    begin() {
      isOn = true;
      queue.push('deferred');
      idle = socket.timeout;
      socket.setTimeout(silence);
    },
    end() {
      if (!isOn) return false;
      isOn = false;
      queue.shift();
      if (idle !== undefined && !socket.destroyed) socket.setTimeout(idle);
      return true;
    },
    hold(bytes, feed) {
      if (!isOn) return false;
      socket.pause();
      held = { bytes: held ? Buffer.concat([held.bytes, bytes]) : bytes, feed };
      return true;
    },
    release() {
      if (!held || socket.destroyed) return;
      const { bytes, feed } = held;
      held = undefined;
      socket.resume();
      feed(bytes);
    },
  };
}
