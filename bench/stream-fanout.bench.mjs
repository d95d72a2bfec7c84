// One release to two thousand subscribers of `serve`, beside the same text written to as many bare sockets in a loop: how long
// after the first one the slowest has it.
import { startBeside, stop, withSandbox } from './serve-programs.mjs';
import { question, SUBSCRIBERS, spread, subscribe, trigger } from './stream-support.mjs';
import { inTurn } from './support.mjs';

const FRAME = `id: usd_inflation_1791981000\nevent: announcement\ndata: ${'x'.repeat(250)}\n\n`;

export default {
  name: 'stream: one release to 2,000 subscribers, the slowest vs bare sockets in a loop',
  goal: 2,
  run: () => withSandbox(compare, ['--no-quota', '--max-connections', '4096']),
};

async function compare(ours) {
  const bare = await startBeside('stream-bare.mjs', { listen: true });
  const streams = await subscribe(ours.port, question);
  const sockets = await subscribe(bare.port);
  try {
    const pushed = async () => {
      const heard = spread(streams);
      await trigger();
      return heard;
    };
    const written = () => {
      const heard = spread(sockets);
      bare.child.send({ write: FRAME });
      return heard;
    };
    const compared = await inTurn({ ours: pushed, theirs: written, rounds: 15, warmUps: 3 });
    const { ours: own, theirs } = compared;
    const detail = `${own.toFixed(1)} ms against ${theirs.toFixed(1)} ms for ${SUBSCRIBERS} subscribers`;
    return { ...compared, detail };
  } finally {
    for (const socket of [...streams, ...sockets]) socket.destroy();
    await stop(bare);
  }
}
