import { load, requestsFor } from './serve-load.mjs';
import { withSandbox } from './serve-programs.mjs';
import { HISTORY_PAGES } from './serve-support.mjs';

const MOST = 200;

// Goal: under 200 MB resident after many answers. Generating the data is not part of it: the file was there before.
export default {
  name: `serve: resident memory after pages of every history route, in units of ${MOST} MB`,
  goal: 1,
  run: () =>
    withSandbox(async ({ port, takes }) => {
      for (const path of HISTORY_PAGES) await load({ port, requests: requestsFor(path), status: 200, ms: 500 });
      const { megabytes } = await takes();
      return { ratio: megabytes / MOST, detail: `${megabytes} MB` };
    }),
};
