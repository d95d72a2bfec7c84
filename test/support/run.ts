import { main } from '../../src/main.ts';
import { type TestPlatform, type TestPlatformOptions, testPlatform } from './platform.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process: `await macro('fx eur usd --format json')`. Quotes hold blanks together. */
export async function macro(line: string, options: TestPlatformOptions | TestPlatform = {}): Promise<Ran> {
  const world = 'platform' in options ? options : testPlatform(options);
  const before = { out: world.out().length, err: world.err().length };
  const code = await main(splitLine(line), world.platform);
  return { code, out: world.out().slice(before.out), err: world.err().slice(before.err) };
}

export function splitLine(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
