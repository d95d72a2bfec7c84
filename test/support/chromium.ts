// Drives the Chromium of this machine over its own protocol, for tests of pages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { freshFolder } from './platform.ts';

/** Path of the browser; undefined where none is installed. */
export const CHROMIUM = findChromium();

function findChromium(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // The next name may be there.
    }
  }
  return undefined;
}

export interface BrowserPage {
  /** Sends a command of the protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  open(url: string): Promise<void>;
  /** Value of an expression in the page; promises are awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
  /** Clicks with the mouse in the middle of what a selector finds. */
  click(selector: string): Promise<void>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Addresses that were asked for. */
  readonly requested: readonly string[];
  /** What the browser complained of: errors of scripts and breaches of the policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface Screen {
  readonly width: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly scripts?: boolean;
}

/** Starts a browser with one page. */
export async function openBrowser({
  width,
  height = 900,
  scheme = 'light',
  scripts = true,
}: Screen): Promise<BrowserPage> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium');
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const child = spawn(CHROMIUM, [
    ...flags,
    ...[
      '--remote-debugging-port=0',
      `--user-data-dir=${freshFolder()}`,
      '--disable-background-networking',
      'about:blank',
    ],
  ]);
  const socket = await connect(await debuggingAddress(child));
  const page = createPage(socket, child);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
  const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
  await page.send('Emulation.setDeviceMetricsOverride', metrics);
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  if (!scripts) await page.send('Emulation.setScriptExecutionDisabled', { value: true });
  return page;
}

async function debuggingAddress(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', (text) => {
      said.push(String(text));
      const found = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said.join(''))?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the browser ended: ${said.join('')}`)));
  });
  const targets: unknown = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const pages = targets as readonly { readonly type: string; readonly webSocketDebuggerUrl: string }[];
  const address = pages.find(({ type }) => type === 'page')?.webSocketDebuggerUrl;
  if (address === undefined) throw new Error('the browser has no page');
  return address;
}

function connect(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address);
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => reject(new Error('the browser cannot be reached')), { once: true });
  });
}

interface Told {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

function createPage(socket: WebSocket, child: ChildProcess): BrowserPage {
  const waiting = new Map<number, { resolve(value: Record<string, unknown>): void; reject(error: Error): void }>();
  const loads: (() => void)[] = [];
  const requested: string[] = [];
  const complaints: string[] = [];
  let count = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params = {}, result, error } = JSON.parse(String(data)) as Told;
    if (id !== undefined) {
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(result ?? {});
      waiting.delete(id);
    }
    if (method === 'Page.loadEventFired') for (const loaded of loads.splice(0)) loaded();
    if (method === 'Network.requestWillBeSent') requested.push((params as { request: { url: string } }).request.url);
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params.exceptionDetails));
    const entry = (params as { entry?: { level: string; text: string } }).entry;
    if (method === 'Log.entryAdded' && entry?.level === 'error') complaints.push(entry.text);
  });
  const send: BrowserPage['send'] = (method, params = {}) => {
    count += 1;
    const id = count;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  const evaluate = async <T>(expression: string): Promise<T> => {
    const told = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (told.exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(told.exceptionDetails)}`);
    return (told.result as { value: T }).value;
  };
  const until = async (expression: string) => {
    for (let i = 0; i < 600; i += 1) {
      if (await evaluate<boolean>(`Boolean(${expression})`)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`it never came: ${expression}\n${await evaluate<string>('document.body.innerText')}`);
  };
  return {
    ...{ send, evaluate, until, requested, complaints },
    async open(url) {
      const loaded = new Promise<void>((resolve) => loads.push(resolve));
      await send('Page.navigate', { url });
      await loaded;
    },
    async click(selector) {
      const place = `(() => { const found = document.querySelector(${JSON.stringify(selector)}); found.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = found.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`;
      const at = await evaluate<object>(place);
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    },
    async press(key) {
      const codes: Readonly<Record<string, number>> = {
        Tab: 9,
        Enter: 13,
        ArrowLeft: 37,
        ArrowRight: 39,
        ArrowDown: 40,
      };
      const known = { key, code: key, windowsVirtualKeyCode: codes[key] ?? 0, ...(key === 'Enter' && { text: '\r' }) };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...known });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...known });
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true });
      return Buffer.from(String(data), 'base64');
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}
