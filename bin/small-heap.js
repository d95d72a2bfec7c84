/**
 * How much old values may grow before the collector looks at them, in percent of what it kept the last time. A server keeps 128 MB
 * where nobody says otherwise; left alone, four times that pile up. Rows of an import grow old while they wait for their commit,
 * and 100 MB of them pile up; looking costs it little.
 */
const GROWTH = { serve: 30, import: 60 };

/** An answer takes half a megabyte that nobody needs behind it: with twice the room half as many rounds look for it. */
const YOUNG_BYTES = { serve: 16 * 1024 * 1024, import: 8 * 1024 * 1024 };
const MAX_ROUNDS = 40;

/**
 * For commands that carry hundreds of thousands of rows, which live for a moment. Left alone, the space for new values doubles
 * until it alone takes 130 MB, and twice that once values are carried over from it. Left at its first megabyte it is cleared every
 * two hundred rows, which takes a third of an import. So it grows here, once.
 */
export function keepHeapSmall(command) {
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const bytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  setFlagsFromString('--semi-space-growth-factor=4');
  // It grows when it is cleared and much of it is still in use.
  const inUse = [];
  for (let round = 0; round < MAX_ROUNDS && bytes() < YOUNG_BYTES[command]; round += 1)
    for (let i = 0; i < 5000; i += 1) inUse.push([i]);
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--heap-growing-percent=${GROWTH[command]}`);
}
