import { join } from 'node:path';
import {
  accepted,
  ENTRY,
  type Every,
  everyOf,
  type Job,
  nextRun,
  notRunningError,
  type Scheduler,
  type ScheduleWorld,
} from './scheduler.ts';

const LABEL = `macro-data.${ENTRY}`;

/** A launch agent (launchd.plist(5)): missed intervals run on waking, RunAtLoad at login. */
export function launchd({ run, files, home, clock }: ScheduleWorld): Scheduler {
  const folder = join(home, 'Library', 'LaunchAgents');
  const path = join(folder, `${LABEL}.plist`);
  const domain = async () => `gui/${accepted(await run('id', ['-u']), 'id -u').stdout.trim()}`;
  const leave = async () => run('launchctl', ['bootout', `${await domain()}/${LABEL}`]);
  return {
    name: 'launchd',
    // A changed agent has to be booted out first, which ends its run.
    takesMoments: false,
    isThere: async () => (await run('launchctl', ['version'])).code === 0,
    isRunning: async () => (await run('launchctl', ['version'])).code === 0,
    notRunning: () => notRunningError('launchd', 'launchctl kickstart'),
    entryText: agentPlist,
    async install(job) {
      files.makeFolder(folder);
      if (files.exists(path)) await leave();
      files.write(path, agentPlist(job), 0o644);
      accepted(await run('launchctl', ['bootstrap', await domain(), path]), 'launchctl bootstrap');
    },
    async find() {
      if (!files.exists(path)) return undefined;
      const printed = await run('launchctl', ['print', `${await domain()}/${LABEL}`]);
      // launchd tells that it has the agent, not when it runs it: that follows from its calendar.
      const every = printed.code === 0 ? everyIn(files.readText(path)) : undefined;
      return { next: every && nextRun(every, clock.now()), last: undefined };
    },
    async remove() {
      await leave();
      if (files.exists(path)) files.remove(path);
    },
  };
}

export function agentPlist({ command, env, every }: Job): string {
  const words = command.map((word) => `    <string>${escaped(word)}</string>`);
  const settings = Object.entries(env).map(
    ([name, value]) => `    <key>${escaped(name)}</key><string>${escaped(value)}</string>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${LABEL}</string>`,
    `  <!-- every ${every.word} -->`,
    ...['  <key>ProgramArguments</key>', '  <array>', ...words, '  </array>'],
    ...['  <key>EnvironmentVariables</key>', '  <dict>', ...settings, '  </dict>'],
    '  <key>RunAtLoad</key><true/>',
    ...['  <key>StartCalendarInterval</key>', '  <array>', ...intervalsOf(every), '  </array>'],
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function intervalsOf({ hours, minutes }: Every): readonly string[] {
  const key = (name: string, value: number) => `<key>${name}</key><integer>${value}</integer>`;
  const of = (minute: number, hour?: number) =>
    `    <dict>${hour === undefined ? '' : key('Hour', hour)}${key('Minute', minute)}</dict>`;
  return hours
    ? hours.flatMap((hour) => minutes.map((minute) => of(minute, hour)))
    : minutes.map((minute) => of(minute));
}

function everyIn(plist: string): Every | undefined {
  return everyOf(/<!-- every (\w+) -->/.exec(plist)?.[1] ?? '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
