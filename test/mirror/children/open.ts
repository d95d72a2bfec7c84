/** Opens a mirror, makes its first commit and prints its identity. Arguments: the mirror. */
import { openHere } from './world.ts';

const mirror = await openHere(process.argv[2] ?? '');
process.stdout.write(`${(await mirror.stamp()).id}\n`);
mirror.close();
