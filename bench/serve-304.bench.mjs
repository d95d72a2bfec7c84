import { compareServers, PAGE } from './serve-support.mjs';

// Goal: at least 0.8 of the requests a second of bare node:http, so at most 1.25 times its time.
export default {
  name: 'serve: 304, keyed, against bare node:http',
  goal: 1.25,
  run: () => compareServers([PAGE], { conditional: true }),
};
