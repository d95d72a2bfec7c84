import { compareServers, HISTORY_PAGES } from './serve-support.mjs';

// Goal: at least 0.45 of the requests a second of bare node:http for the worst route.
export default {
  name: 'serve: a page of 20 rows of every history route, keyed, against bare node:http',
  goal: 2.22,
  run: () => compareServers(HISTORY_PAGES, { rounds: 3, ms: 500 }),
};
