// The request log of `serve`, and what it tells of its own start and end.
import { isoSeconds } from '../../../contract/time/time.ts';
import type { LoggedRequest } from '../../../serve/request-log.ts';
import type { App } from '../../app/app.ts';
import { type Options, textOption } from '../../parse/options.ts';
import { type LogFacts, logLine, logWriter, REQUEST_LOG_FORMATS, readLogFormat } from '../../print/lines.ts';

export interface ServeLog {
  readonly request: (logged: LoggedRequest) => void;
  /** Notes what the server does by itself. `common` has no form for it. */
  note(event: 'started' | 'stopping' | 'stopped', facts: LogFacts): void;
  /** Requests so far. */
  readonly requests: number;
}

/** The log that was asked for; undefined without `--log`. */
export function openServeLog(app: App, options: Options): ServeLog | undefined {
  const format = readLogFormat(textOption(options, 'log-format'), REQUEST_LOG_FORMATS);
  const target = textOption(options, 'log');
  if (target === undefined) return undefined;
  const put = logWriter(app, target, 'request_log');
  const now = () => timeText(app.platform.clock.now());
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    request(logged) {
      requests += 1;
      put(
        format === 'common'
          ? `${commonLine(logged, app.platform.clock.now())}\n`
          : logLine(format, factsOf(logged, now())),
      );
    },
    note(event, facts) {
      if (format !== 'common') put(logLine(format, { time: now(), level: 'info', event, ...facts }));
    },
  };
}

const timeText = (ms: number) => isoSeconds(Math.floor(ms / 1000));

function factsOf({ at: _, ...facts }: LoggedRequest, time: string): LogFacts {
  const level = facts.status === undefined || facts.status >= 500 ? 'warning' : 'info';
  const { method, path, caller, address, status, rows, bytes, ms, from, fault, id } = facts;
  return { time, level, event: 'request', method, path, caller, address, status, rows, bytes, ms, from, fault, id };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The form that programs for logs of web servers read. A caller with a blank in its name would be two words. */
function commonLine({ address, caller, method, path, status, bytes }: LoggedRequest, ms: number): string {
  const [date = '', time = ''] = new Date(ms).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  const when = `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`;
  return `${address || '-'} - ${caller.replace(/\s+/g, '_')} [${when}] "${method} ${path} HTTP/1.1" ${status ?? '-'} ${bytes}`;
}
