// What a subscriber of the stream keeps resident in `serve`, in kilobytes: 50 are the most.
import { withSandbox } from './serve-programs.mjs';
import { question, SUBSCRIBERS, spread, subscribe, trigger } from './stream-support.mjs';

const MOST = 50;

export default {
  name: 'stream: kilobytes a subscriber, of 50',
  goal: 1,
  run: () => withSandbox(measure, ['--no-quota', '--max-connections', '4096']),
};

async function measure(ours) {
  const rounds = [];
  // The first ones bring the program to its working size.
  for (let round = 0; round < 3; round += 1) {
    const before = await ours.takes();
    const sockets = await subscribe(ours.port, question);
    const heard = spread(sockets);
    await trigger();
    await heard;
    const after = await ours.takes();
    rounds.push(((after.megabytes - before.megabytes) * 1024) / SUBSCRIBERS);
    for (const socket of sockets) socket.destroy();
  }
  const most = Math.max(...rounds);
  return { ratio: most / MOST, detail: `${rounds.map((kb) => kb.toFixed(0)).join(', ')} KB in rounds` };
}
