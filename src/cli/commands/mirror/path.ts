import type { App } from '../../app/app.ts';
import { requireFile } from './require-held.ts';

/** `macro mirror path` */
export async function showMirrorPath(app: App): Promise<void> {
  await app.printText(requireFile(app, 'mirror path', 'macro config get mirror prints its address.'));
}
