// A start that reads every command there is.
import { startRatio, withHome } from './start-support.mjs';

export default {
  name: 'start: --help vs node -e 0',
  goal: 1.3,
  run: () => withHome((home) => startRatio(['--help'], home)),
};
