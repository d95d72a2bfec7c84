// One release to more and more subscribers of `serve`: from the first one that has it to the last, and what each keeps resident.
import { withSandbox } from '../serve-programs.mjs';
import { question, spread, subscribe, trigger } from '../stream-support.mjs';

const ROUNDS = 7;

export const bySubscribers = {
  title: 'Subscribers of the stream',
  counts: 'subscribers',
  figures: ['first to last, ms', 'memory of a subscriber, KB'],
  sizes: [10, 100, 500, 1_000, 2_000],
  measure: (count) =>
    withSandbox(
      async (ours) => {
        // Whatever a first event loads is not theirs.
        const first = await subscribe(ours.port, question, 10);
        const sent = spread(first);
        await trigger();
        await sent;
        for (const socket of first) socket.destroy();
        const before = await ours.takes();
        const sockets = await subscribe(ours.port, question, count);
        const times = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const heard = spread(sockets);
          await trigger();
          times.push(await heard);
        }
        const after = await ours.takes();
        for (const socket of sockets) socket.destroy();
        const each = (after.megabytes - before.megabytes) / count;
        return [times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)], Math.max(0, each * 1024)];
      },
      ['--no-quota', '--max-connections', '4096'],
    ),
};
