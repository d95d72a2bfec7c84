import type { Mirror } from '../../mirror/api/mirror.ts';
import type { App } from './app.ts';

/** Says that what is printed was generated. Nothing synthetic passes for real, whichever command prints it. */
export function warnSynthetic(app: App, what = 'numbers'): Promise<void> {
  return app.warn(`these ${what} are generated: synthetic data, not real`, 'synthetic');
}

/** Says so of the rows of a mirror, where they are; given back are the facts that a file of such rows holds. */
export async function dataKindNote(app: App, mirror: Mirror): Promise<Readonly<Record<string, string>>> {
  const { nature } = await mirror.stamp();
  if (nature === 'synthetic') await warnSynthetic(app);
  return nature === undefined ? {} : { nature };
}
