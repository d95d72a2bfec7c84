import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A line to a server of this machine on which each way takes some time. */
export interface SlowLink {
  readonly port: number;
  /** How often whoever is at the near end has waited for an answer since this was last asked. */
  waits(): number;
}

/** Opens such a line. `wayMs`: milliseconds from one end to the other. */
export async function slowLink(target: number, wayMs: number): Promise<SlowLink> {
  let waits = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let isWaiting = false;
    const later = (work: () => void) => setTimeout(work, wayMs);
    near.on('data', (bytes) => {
      if (!isWaiting) waits += 1;
      isWaiting = true;
      later(() => far.write(bytes));
    });
    far.on('data', (bytes) =>
      later(() => {
        isWaiting = false;
        near.write(bytes);
      }),
    );
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('end', () => later(() => to.end()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    waits() {
      const counted = waits;
      waits = 0;
      return counted;
    },
  };
}
