import { startRatio, withHome } from './start-support.mjs';

export default {
  name: 'start: completion bash vs node -e 0',
  goal: 1.3,
  run: () => withHome((home) => startRatio(['completion', 'bash'], home)),
};
