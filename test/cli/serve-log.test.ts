import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/cli/app/app.ts';
import { openServeLog } from '../../src/cli/commands/serve/run-server.ts';
import type { LoggedRequest } from '../../src/serve/request-log.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const TIME = '2026-11-20T14:00:00Z';
const REQUEST: LoggedRequest = {
  ...{ at: 0, method: 'GET', path: '/v1/forex/EUR/USD?limit=2', caller: 'trading desk', address: '127.0.0.1' },
  ...{ status: 200, rows: 2, bytes: 812, ms: 4, from: 'mirror', fault: undefined, id: 'req_1' },
};

function written(format: string): readonly string[] {
  const { platform, folder } = testPlatform({ now: TIME });
  const options = { log: 'requests.log', 'log-format': format };
  const log = openServeLog(createApp(platform, options, new AbortController().signal), options);
  log?.note('started', { address: 'http://127.0.0.1:8787' });
  log?.request(REQUEST);
  log?.request({ ...REQUEST, status: undefined, rows: undefined, from: undefined, bytes: 0, caller: 'keyless' });
  log?.note('stopped', { requests: log.requests });
  return platform.files.readText(`${folder}/requests.log`).trimEnd().split('\n');
}

describe('the request log', () => {
  it('has a line of words for each request, and for the start and the end', () => {
    const told = 'method=GET path="/v1/forex/EUR/USD?limit=2"';
    expect(written('pretty')).toEqual([
      `${TIME} info started address=http://127.0.0.1:8787`,
      `${TIME} info request ${told} caller="trading desk" address=127.0.0.1 status=200 rows=2 bytes=812 ms=4 from=mirror id=req_1`,
      `${TIME} warning request ${told} caller=keyless address=127.0.0.1 bytes=0 ms=4 id=req_1`,
      `${TIME} info stopped requests=2`,
    ]);
  });

  it('is JSON where that was asked for', () => {
    expect(JSON.parse(written('json')[1] ?? '')).toEqual({
      ...{ time: TIME, level: 'info', event: 'request', method: 'GET', path: REQUEST.path, caller: 'trading desk' },
      ...{ address: '127.0.0.1', status: 200, rows: 2, bytes: 812, ms: 4, from: 'mirror', id: 'req_1' },
    });
  });

  it('has requests alone in the common form of web servers', () => {
    expect(written('common')).toEqual([
      '127.0.0.1 - trading_desk [20/Nov/2026:14:00:00 +0000] "GET /v1/forex/EUR/USD?limit=2 HTTP/1.1" 200 812',
      '127.0.0.1 - keyless [20/Nov/2026:14:00:00 +0000] "GET /v1/forex/EUR/USD?limit=2 HTTP/1.1" - 0',
    ]);
  });

  it('has no other form', async () => {
    const { code, err } = await macro('serve --log - --log-format xml');
    expect([code, err]).toEqual([
      2,
      "macro: 'xml' is no legal value for --log-format.\nLegal values are pretty, json, common.\n",
    ]);
  });
});
