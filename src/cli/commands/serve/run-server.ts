import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { isoSeconds } from '../../../contract/time/time.ts';
import { INTERFACE } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { Clock } from '../../../platform/platform.ts';
import { withAddresses } from '../../../serve/addresses.ts';
import { DEFAULT_HOST, DEFAULT_PORT, startServe } from '../../../serve/create.ts';
import { readFaults } from '../../../serve/faults/fault.ts';
import { createFaults, type FaultEngine } from '../../../serve/faults/fault-engine.ts';
import type { LoggedRequest } from '../../../serve/request-log.ts';
import { createColumns } from '../../../source/columns.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import { requireOwnService } from '../../../source/named-service.ts';
import type { App } from '../../app/app.ts';
import type { MirrorHandle } from '../../app/mirror-handle.ts';
import { interrupted, isOn, type Options, readCount, readPort, textOption } from '../../parse/options.ts';
import { type LogFacts, logLine, logWriter, REQUEST_LOG_FORMATS, readLogFormat } from '../../print/lines.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../require.ts';
import { followFile } from './followed-mirror.ts';
import {
  COLUMNS_PART,
  checkTools,
  hasOwnClock,
  readBehaviour,
  readByteSize,
  readServeClock,
  readWebhookPolicy,
  type ServeLog,
} from './serve.ts';

const DEFAULT_SEED = 1;

export async function serve(app: App, call: Call): Promise<void> {
  const { options } = call;
  const port = readPort(options, DEFAULT_PORT);
  const host = textOption(options, 'host') ?? DEFAULT_HOST;
  const clock = readServeClock(app, options);
  const policy = readWebhookPolicy(options);
  const log = openServeLog(app, options);
  const read = readBehaviour(app, options, { port, host, clock, log });
  const connections = readCount(options, 'max-connections', 1);
  const memory = readByteSize(options, 'memory');
  checkTools(options);
  const faults = await openFaults(app, options);
  const isBacked = ['upstream', 'budget', 'spend-for', 'only'].some((name) => options[name] !== undefined);
  const upstream = isBacked
    ? await (await import('./upstream.ts')).openUpstream(app, options, { host, port })
    : undefined;
  const sandbox = isOn(options, 'sandbox') ? await import('./sandbox.ts') : undefined;
  const mirror = sandbox ? await sandbox.openGenerated(app, clock.now()) : await openHeld(app, upstream !== undefined);
  const behaviour = { ...read, labels: await withAddresses(read.labels, mirror) };
  const columns = createColumns(memory === undefined ? undefined : memory * COLUMNS_PART);
  const { openSecrets, openWebhooks } = await import('./webhooks.ts');
  const { signing, ...signs } = await openSecrets(app, mirror, { options, now: clock.now() });
  const replay =
    !sandbox && hasOwnClock(options)
      ? await (await import('./replay.ts')).openReplay(app, { mirror, labels: behaviour.labels, clock, columns })
      : undefined;
  const source =
    replay?.source ??
    createMirrorSource({
      ...{ mirror, labels: behaviour.labels, signing, columns },
      sha256: (text) => hash('sha256', text),
      ...(!sandbox && { onUncovered: app.noteUncovered }),
    });
  const { platform } = app;
  const answering = upstream?.through(mirror, source) ?? source;
  const webhooks = await openWebhooks(app, replay?.scratch ?? mirror, {
    allowLocal: isOn(options, 'allow-local-destinations'),
    ...{ policy, faults, ...signs },
  });
  const run = replay?.run ?? (await sandbox?.startReleases(app, mirror, clock)) ?? (() => interrupted(app.signal));
  const server = await startServe({
    source: answering,
    mirrorSource: source,
    mirror: replay?.watched ?? mirror,
    endpoints: INTERFACE,
    subscriptions: webhooks?.subscriptions,
    platform,
    log: (text, code) => void app.log(text, code),
    explain: (error) => app.explain(error),
    // Pages read the mirror as it is now, and a replay knows nothing later than its clock.
    pages:
      isOn(options, 'no-pages') || replay
        ? undefined
        : (await import('./pages.ts')).createPageParts(app, { mirror, isSandbox: sandbox !== undefined }),
    metrics: isOn(options, 'metrics') ? await openMetrics(app, { mirror, source }) : undefined,
    mcp: await openTools(app, { ...{ options, clock }, path: sandbox ? mirror.name : app.settings.mirror.value }),
    options: behaviour,
    onRequest: log?.request,
    ...(connections !== undefined && { bounds: { connections } }),
    faults,
    port,
    host,
  });
  try {
    log?.note('started', { address: server.address, mirror: mirror.name });
    await app.say(`macro serves ${mirror.name} at ${server.address}/v1 (Ctrl-C ends it)`, 'serving');
    webhooks?.sender?.start();
    await run();
  } finally {
    log?.note('stopping', { reason: reasonOf(app.signal), requests: log.requests });
    await Promise.all([server.close(), webhooks?.sender?.close()]);
    replay?.close();
    log?.note('stopped', { requests: log.requests });
  }
}

/** The signal that ended the server; an error where there was none. */
function reasonOf({ aborted, reason }: AbortSignal): string {
  if (!aborted) return 'error';
  return reason instanceof MacroError ? (reason.code ?? 'interrupted') : 'interrupted';
}

/** The metrics of this profile and of the served mirror; loaded when first requested. */
async function openMetrics(app: App, served: Pick<MirrorHandle, 'mirror' | 'source'>): Promise<() => Promise<string>> {
  const { collectMetrics } = await import('../metrics.ts');
  const handle = { service: undefined, ...(await app.mirrorIfAny()), ...served };
  return () => collectMetrics({ ...app, mirrorIfAny: async () => handle });
}

/** An empty mirror may be filled while it is served. */
async function openHeld(app: App, isBacked: boolean): Promise<Mirror> {
  const hint = 'Fill it with macro sync fx eur usd or macro import FILE, or serve generated data with --sandbox.';
  const held = await requireMirror(app, hint);
  // Whoever asks the server names no service, so its own settings count.
  await requireOwnService(held);
  const { mirror, service } = held;
  if (!isBacked && (await mirror.stamp()).nature === undefined)
    await app.warn(`The mirror ${mirror.name} is empty: each question is answered 404. ${hint}`, 'mirror_empty');
  return followFile(app, mirror, { mode: 'read', service });
}

/** The faults of a server as typed. Requests may ask for faults where data is synthetic or faults were typed. */
async function openFaults(app: App, options: Options): Promise<FaultEngine> {
  const { clock, files, cwd } = app.platform;
  const file = textOption(options, 'faults');
  const seed = readCount(options, 'seed', 0);
  const rules = file === undefined ? [] : readFaults(files.readText(resolve(cwd, file)));
  if (file !== undefined) await app.warn('answers are spoiled on purpose: never offer this to others', 'faults');
  return createFaults({
    rules,
    seed: seed ?? (file === undefined ? undefined : DEFAULT_SEED),
    allowsHeader: file !== undefined || isOn(options, 'sandbox'),
    headerPrefix: app.settings.headerPrefix.value,
    clock,
  });
}

/** Answers requests to `/mcp`; nothing of the protocol is loaded without `--mcp`. */
async function openTools(
  app: App,
  { options, path, clock }: { readonly options: Options; readonly path: string; readonly clock: Clock },
): Promise<((request: Request) => Promise<Response>) | undefined> {
  if (!isOn(options, 'mcp')) return undefined;
  const { mcpParts } = await import('../mcp.ts');
  const { answerHttp } = await import('../../../mcp/serve-mcp.ts');
  const general = [`--mirror=${path}`];
  const strict = isOn(options, 'strict');
  return answerHttp(mcpParts({ platform: { ...app.platform, clock }, general, budget: 0, strict }));
}

/** The log of requests, and what the server tells of its own start and end; undefined without `--log`. */
export function openServeLog(app: App, options: Options) {
  const format = readLogFormat(textOption(options, 'log-format'), REQUEST_LOG_FORMATS);
  const target = textOption(options, 'log');
  if (target === undefined) return undefined;
  const put = logWriter(app, target, 'request_log');
  const now = () => isoSeconds(Math.floor(app.platform.clock.now() / 1000));
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    request(logged: LoggedRequest): void {
      requests += 1;
      put(
        format === 'common'
          ? `${commonLine(logged, app.platform.clock.now())}\n`
          : logLine(format, factsOf(logged, now())),
      );
    },
    /** Notes what the server does by itself. `common` has no form for it. */
    note(event: Parameters<ServeLog['note']>[0], facts: LogFacts): void {
      if (format !== 'common') put(logLine(format, { time: now(), level: 'info', event, ...facts }));
    },
  };
}

function factsOf({ at: _, ...facts }: LoggedRequest, time: string): LogFacts {
  const level = facts.status === undefined || facts.status >= 500 ? 'warning' : 'info';
  const { method, path, caller, address, status, rows, bytes, ms, from, fault, id } = facts;
  return { time, level, event: 'request', method, path, caller, address, status, rows, bytes, ms, from, fault, id };
}

/** The form that programs for logs of web servers read. A caller with a blank in its name would be two words. */
function commonLine({ address, caller, method, path, status, bytes }: LoggedRequest, ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  const when = `${day}/${month}/${year}:${time} +0000`;
  return `${address || '-'} - ${caller.replace(/\s+/g, '_')} [${when}] "${method} ${path} HTTP/1.1" ${status ?? '-'} ${bytes}`;
}
