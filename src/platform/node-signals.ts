import process from 'node:process';
import type { Signals } from './platform.ts';

export const nodeSignals: Signals = {
  onInterrupt(handler) {
    const interrupted = () => handler('SIGINT');
    const terminated = () => handler('SIGTERM');
    process.on('SIGINT', interrupted);
    process.on('SIGTERM', terminated);
    return () => {
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', terminated);
    };
  },
};
