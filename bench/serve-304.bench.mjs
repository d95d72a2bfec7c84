import { compareServers, PAGE } from './serve-support.mjs';

// Goal: at least 0.5 of the requests a second of bare node:http, so at most 2 times its time.
export default {
  name: 'serve: 304, keyed, against bare node:http',
  goal: 2,
  run: () => compareServers([PAGE], { conditional: true }),
};
