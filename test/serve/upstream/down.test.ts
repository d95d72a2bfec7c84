import { expect, it } from 'vitest';
import { addressOf, EACH, exampleOf } from '../../laws/wire.ts';
import { upstreamWorld } from './world.ts';

const DAY = 86_400_000;

it.each(EACH.filter(([, { local }]) => !local))(
  '%s says that it is stale or cannot be answered, days after the service was last reached',
  async (_, endpoint) => {
    const { ask, clock, service } = await upstreamWorld();
    const address = addressOf(endpoint, exampleOf(endpoint));
    await ask(address);
    service.isDown = true;
    for (const days of [2, 40]) {
      clock.jump(days * DAY);
      const { status, cache, warning, headers } = await ask(address);
      const marks = [status, cache, warning, headers['cache-control']];
      expect(marks).toEqual(
        status === 503
          ? [503, undefined, undefined, 'no-store']
          : [200, 'macro; hit; detail=stale', '110 - "Response is stale. The service could not be asked."', 'no-store'],
      );
    }
  },
);
