/** Commits what a file says, then prints `done`. Arguments: the mirror, the file. */
import { commitsIn, openHere } from './world.ts';

const [path = '', commits = ''] = process.argv.slice(2);
const mirror = await openHere(path);
for (const commit of commitsIn(commits)) await mirror.commitPage(commit);
mirror.close();
process.stdout.write('done\n');
