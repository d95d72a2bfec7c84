/**
 * For commands that carry hundreds of thousands of rows. Rows on their way into a mirror, or out of it, live for a moment. Left alone, the
 * space for new values doubles until it alone takes 130 MB, and twice that once values are carried over from it. Left at its
 * first megabyte it is cleared every two hundred rows, which takes a third of an import. So it grows here, once.
 */
export function keepYoungHeapSmall() {
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const bytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  setFlagsFromString('--semi-space-growth-factor=4');
  // It grows when it is cleared and much of it is still in use.
  const inUse = [];
  for (let round = 0; round < MAX_ROUNDS && bytes() < YOUNG_BYTES; round += 1)
    for (let i = 0; i < 5000; i += 1) inUse.push([i]);
  setFlagsFromString('--semi-space-growth-factor=1');
}

const YOUNG_BYTES = 8 * 1024 * 1024;
const MAX_ROUNDS = 40;

/**
 * For a server, which keeps 128 MB where nobody says otherwise. Left alone, the collector lets four times that pile up before it
 * looks at old values. Beside a small space for new values it looks when a third has come to what it kept the last time.
 */
export function keepHeapTight() {
  lookWhenGrownBy(30);
}

/** For an import: rows that wait for their commit grow old, and left alone 100 MB of them pile up. Looking costs it little. */
export function keepHeapOfImportTight() {
  lookWhenGrownBy(60);
}

function lookWhenGrownBy(percent) {
  keepYoungHeapSmall();
  process.getBuiltinModule('node:v8').setFlagsFromString(`--heap-growing-percent=${percent}`);
}
