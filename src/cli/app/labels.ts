import type { Labels } from '../../contract/hooks.ts';

/** Names that answers computed on this machine carry. */
export const LABELS: Labels = {
  service: 'macro-data',
  storage: 'mirror',
  publicBaseUrl: '',
  subscribeUrl: '',
  docsUrl: '',
};
