import { compareServers, PAGE } from './serve-support.mjs';

// Goal: at least 0.6 of the requests a second of bare node:http, so at most 1.67 times its time.
export default {
  name: 'serve: a page of 20 rows, keyed, against bare node:http',
  goal: 1.67,
  run: () => compareServers([PAGE]),
};
