import { compareServers, HISTORY_PAGES } from './serve-support.mjs';

// Goal: at least 0.6 of the requests a second of bare node:http for the worst route.
export default {
  name: 'serve: a page of 20 rows of every history route, keyed, against bare node:http',
  goal: 1.67,
  run: () => compareServers(HISTORY_PAGES, { rounds: 3, ms: 500 }),
};
