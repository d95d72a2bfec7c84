// A sync with nothing to do on 2,000 tracked announcement series: one request to the feed, every series renewed by it,
// against an empty Node.
import { KEY } from './many-series.mjs';
import { startRatio, withHome } from './start-support.mjs';
import { fillHome, withService } from './steady-support.mjs';

export default {
  name: 'sync: nothing to do on 2,000 announcement series vs node -e 0',
  // A second, where Node starts in 40 ms.
  goal: 25,
  run: () =>
    withService((origin) =>
      withHome(async (home) => {
        await fillHome(home, origin, 60_000);
        process.env.MACRO_API_KEY = KEY;
        const { ratio, detail } = await startRatio(['sync', '--quiet', '--base-url', origin], home);
        const requests = await (await fetch(`${origin}/requests`)).json();
        const [asked, other] = Object.keys(requests);
        if (asked !== '/v1/announcements/changes' || other !== undefined)
          throw new Error(`more than the feed was asked: ${JSON.stringify(requests).slice(0, 300)}`);
        return { ratio, detail };
      }),
    ),
};
