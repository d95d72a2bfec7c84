import type { ServiceLabels } from '../contract/hooks.ts';

/** Names that answers computed on this machine carry. */
export const LABELS: ServiceLabels = {
  service: 'macro-data',
  storage: 'mirror',
  publicBaseUrl: '',
  subscribeUrl: '',
  docsUrl: '',
};
