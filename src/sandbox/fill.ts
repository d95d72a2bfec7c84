import type { Mirror, MirrorReader } from '../mirror/api/mirror.ts';
import { generate } from './generate.ts';
import { commitOfSeries, filledText, SANDBOX_ORIGIN } from './rows.ts';
import { createWorld, type SandboxSize, type World } from './world.ts';

export interface SandboxOptions {
  readonly mirror: Mirror;
  readonly seed: number;
  /** Milliseconds. */
  readonly now: number;
  /** `small`: a tenth or so of the data set, with every group, for tests. */
  readonly size?: SandboxSize;
  /** Called after each series. */
  readonly onProgress?: (report: SandboxReport) => void;
  /** Endpoints that are left as they are. */
  readonly besides?: ReadonlySet<string>;
  /** Waited for before each series. */
  readonly onSeries?: () => Promise<void>;
}

/** What was written. */
export interface SandboxReport {
  readonly series: number;
  readonly rows: number;
  /** Rows that the mirror did not hold before, or not like this. */
  readonly changed: number;
}

/** Fills a mirror with the data set of a seed and a UTC day. What is stored already and still the same stays as it is. */
export async function fillSandbox(options: SandboxOptions): Promise<SandboxReport> {
  const world = worldOf(options);
  let filled: SandboxReport = { series: 0, rows: 0, changed: 0 };
  for (const generated of generate(world)) {
    await options.onSeries?.();
    if (options.besides?.has(generated.endpoint)) continue;
    const { added, revised, vanished } = await options.mirror.commitPage(commitOfSeries(world, generated));
    filled = {
      series: filled.series + 1,
      rows: filled.rows + generated.rows.length,
      changed: filled.changed + added + revised + vanished,
    };
    options.onProgress?.(filled);
  }
  return filled;
}

/**
 * True when the mirror holds the whole data set of this seed and day (the series written last says which one it is), and
 * nothing that was released later than now, as after a clock that was set back.
 */
export async function isFilled(options: Omit<SandboxOptions, 'mirror'> & { mirror: MirrorReader }): Promise<boolean> {
  const { mirror, now } = options;
  const [last] = await mirror.find({ endpoint: 'fx_sources', scope: {} });
  if (last?.origin !== SANDBOX_ORIGIN || last.envelope?.inputs !== filledText(worldOf(options))) return false;
  const [events] = await mirror.find({ endpoint: 'announcements_changes', scope: {} });
  const [newest] = events ? await mirror.rows(events, {}, { limit: 1, offset: 0, reverse: true }) : [];
  return newest === undefined || Number(newest.key[0]) * 1000 <= now;
}

function worldOf({ seed, now, size = 'full' }: Pick<SandboxOptions, 'seed' | 'now' | 'size'>): World {
  return createWorld({ seed, now, size });
}
