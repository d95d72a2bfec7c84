import { compareServers, PAGE } from './serve-support.mjs';

// Goal: at least 0.45 of the requests a second of bare node:http, so at most 2.22 times its time.
export default {
  name: 'serve: a page of 20 rows, keyed, against bare node:http',
  goal: 2.22,
  run: () => compareServers([PAGE]),
};
