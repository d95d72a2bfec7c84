import { describe, expect, it } from 'vitest';
import { retryingOutbox } from '../../src/webhooks/send/sender.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror } from '../support/service.ts';
import { lockedFor } from './sending.ts';

async function scene(times: number) {
  const { platform, clock } = testPlatform();
  const { outbox } = await freshMirror(platform);
  return { clock, patient: retryingOutbox(lockedFor(outbox, 'due', times), clock) };
}

describe('a mirror that another program writes', () => {
  it('is waited for', async () => {
    const { clock, patient } = await scene(3);
    expect(await patient.due()).toEqual([]);
    expect(clock.slept).toEqual([100, 100, 100]);
  });

  it('is waited for five seconds, and no longer', async () => {
    const { clock, patient } = await scene(1_000);
    await expect(patient.due()).rejects.toMatchObject({
      kind: 'mirror',
      message: 'The mirror is locked by another program.',
    });
    expect(clock.slept.length).toBe(50);
  });

  it('is not waited for where it says something else', async () => {
    const { clock, patient } = await scene(0);
    expect(await patient.subscription('sub_x')).toBeUndefined();
    await expect(patient.addSubscription({ id: 'sub_x' } as never, 1)).rejects.toThrow();
    expect(clock.slept).toEqual([]);
  });
});
