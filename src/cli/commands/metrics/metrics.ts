// `macro metrics`: the text that Prometheus reads, on stdout or in a file.
import { resolve } from 'node:path';
import { type App, fileOption } from '../../app/app.ts';
import { collectMetrics } from './collect-metrics.ts';

/** Prints the metrics. With `-o FILE` the file is replaced as a whole, as a textfile collector needs it. */
export async function printMetrics(app: App): Promise<void> {
  const text = await collectMetrics(app);
  const target = fileOption(app.options);
  if (target === undefined) return app.platform.io.stdout.write(text);
  app.platform.files.write(resolve(app.platform.cwd, target), text);
}
