/**
 * For commands that carry hundreds of thousands of rows. Rows on their way into a mirror live for a moment. Left alone, the
 * space for new values doubles until it alone takes 130 MB, and twice that once values are carried over from it.
 */
export function keepYoungHeapSmall() {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}
