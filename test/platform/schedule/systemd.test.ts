import { describe, expect, it } from 'vitest';
import { everyOf } from '../../../src/platform/schedule/scheduler.ts';
import { serviceUnit, timerIn, timerUnit } from '../../../src/platform/schedule/systemd.ts';

const every = everyOf('6h') ?? { word: '', minutes: [], hours: undefined };
const job = { command: ['/opt/node', '/my "own"/100%/$x.js', 'sync', '--quiet'], env: { MACRO_HOME: '/a b%' }, every };

describe('systemd units', () => {
  it('run the program once, with its words quoted as systemd.syntax(7) asks', () => {
    expect(serviceUnit(job)).toBe(
      [
        '[Unit]',
        'Description=macro sync: keeps the local mirror up to date',
        '',
        '[Service]',
        'Type=oneshot',
        'ExecStart="/opt/node" "/my \\"own\\"/100%%/$$x.js" "sync" "--quiet"',
        'Environment="MACRO_HOME=/a b%%"',
        'SuccessExitStatus=75',
        '',
      ].join('\n'),
    );
  });

  it('catch up on what was missed', () => {
    expect(timerUnit(job)).toBe(
      '[Unit]\nDescription=macro sync every 6h\n\n[Timer]\nOnCalendar=*-*-* 00,06,12,18:07:00\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n',
    );
  });

  it('begin at releases to the second as well, in UTC', () => {
    const at = [Date.parse('2026-12-04T13:30:10Z'), Date.parse('2026-12-10T13:30:10Z')];
    expect(
      timerUnit({ ...job, at })
        .split('\n')
        .slice(1, 8),
    ).toEqual([
      'Description=macro sync every 6h and at releases',
      '',
      '[Timer]',
      'OnCalendar=*-*-* 00,06,12,18:07:00',
      'OnCalendar=2026-12-04 13:30:10 UTC',
      'OnCalendar=2026-12-10 13:30:10 UTC',
      'AccuracySec=1s',
    ]);
  });

  it.each([
    [
      '[{"next":1795244400000000,"left":1,"last":1795240800000000,"passed":1,"unit":"macro-sync.timer"}]',
      1_795_244_400_000,
      1_795_240_800_000,
    ],
    [
      '[{"next":1795244400000000,"left":1,"last":0,"passed":0,"unit":"macro-sync.timer"}]',
      1_795_244_400_000,
      undefined,
    ],
    ['[{"next":null,"last":null,"unit":"macro-sync.timer"}]', undefined, undefined],
    ['[]', undefined, undefined],
    ['0 timers listed.', undefined, undefined],
  ])('are found in %s', (text, next, last) => {
    expect(timerIn(text)).toEqual({ next, last });
  });
});
