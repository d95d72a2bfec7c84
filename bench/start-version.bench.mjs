// A start that does nothing else.
import { startRatio, withHome } from './start-support.mjs';

export default {
  name: 'start: --version vs node -e 0',
  goal: 1.3,
  run: () => withHome((home) => startRatio(['--version'], home)),
};
