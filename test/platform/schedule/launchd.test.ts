import { describe, expect, it } from 'vitest';
import { agentPlist } from '../../../src/platform/schedule/launchd.ts';
import { everyOf } from '../../../src/platform/schedule/scheduler.ts';

describe('the launch agent', () => {
  it('runs at login and at every moment, its words escaped for XML', () => {
    const every = everyOf('12h') ?? { word: '', minutes: [], hours: undefined };
    const plist = agentPlist({ command: ['/opt/node', '/a&b/macro.js', 'sync'], env: { MACRO_HOME: '/x<y' }, every });
    expect(
      plist
        .split('\n')
        .slice(3, -1)
        .map((line) => line.trim()),
    ).toEqual([
      '<dict>',
      '<key>Label</key><string>macro-data.macro-sync</string>',
      '<!-- every 12h -->',
      ...['<key>ProgramArguments</key>', '<array>'],
      ...['<string>/opt/node</string>', '<string>/a&amp;b/macro.js</string>', '<string>sync</string>', '</array>'],
      ...['<key>EnvironmentVariables</key>', '<dict>', '<key>MACRO_HOME</key><string>/x&lt;y</string>', '</dict>'],
      '<key>RunAtLoad</key><true/>',
      ...['<key>StartCalendarInterval</key>', '<array>'],
      '<dict><key>Hour</key><integer>0</integer><key>Minute</key><integer>7</integer></dict>',
      '<dict><key>Hour</key><integer>12</integer><key>Minute</key><integer>7</integer></dict>',
      ...['</array>', '</dict>', '</plist>'],
    ]);
  });
});
