/** Everything from the outside world as one value. Only `platform/` touches it, so a test can replace all of it. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly resolve: Resolve;
  readonly post: Post;
  readonly files: Files;
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signals: Signals;
  readonly keychain: Keychain;
  /** Runs another program of this machine. */
  readonly run: Run;
  readonly page: ShowPaged;
  /** The command of this very program: the words in front of its arguments, with absolute paths. */
  readonly program: readonly string[];
  readonly pid: number;
  /** Whether a process of this machine is there. */
  isRunning(pid: number): boolean;
  /** Name of this machine. */
  readonly host: string;
  /** Working folder, absolute. */
  readonly cwd: string;
  /** Home folder of the user, absolute. */
  readonly home: string;
  /** The runtime of this program: `Node 24.21.0`. */
  readonly runtime: string;
  readonly os: 'linux' | 'macos' | 'windows';
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** The same beside work that goes on meanwhile: a limit for it, and no pause of its own. */
  alarm(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Number of the event loop's turn: what it takes from the network came before, so one look outside serves all of it.
   */
  turn(): number;
  /** Resolves when all that this turn takes from the network has been handed on. */
  turnEnd(): Promise<void>;
}

export interface Random {
  /** In [0, 1). */
  number(): number;
  bytes(count: number): Uint8Array;
}

export interface FetchInit extends RequestInit {
  /** Milliseconds until the last byte of the body must have arrived; then the request fails with a `TimeoutError`. */
  readonly deadline?: number;
  /** The body stays as sent, packed or not: an unpacked body does not show that its end is missing. */
  readonly raw?: true;
}

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/** All addresses of a host name, as the name servers of this machine tell them; none when nobody knows any. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Posts to an address that was looked up before, without redirects, under the URL's `Host` and certificate. Rejects
 * with a `TimeoutError` or the failure.
 */
export type Post = (request: PostRequest) => Promise<Posted>;

export interface PostRequest {
  readonly url: URL;
  /** Where the host of the URL is. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Milliseconds until the connection must stand, and until the answer must have come. */
  readonly connectTime: number;
  readonly totalTime: number;
  /** Max bytes to read of the answer's body; nothing of it is stored. */
  readonly answerBytes: number;
  readonly signal?: AbortSignal;
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
}

export interface Files {
  exists(path: string): boolean;
  /** Text of a plain file of at most so many bytes, 64 MiB where nobody says otherwise. Devices and pipes are refused. */
  readText(path: string, maxBytes?: number): string;
  readBytes(path: string, maxBytes?: number): Uint8Array;
  /** The same in chunks of any number, each read on demand; the reader owns each chunk. */
  pieces(path: string): Iterable<Uint8Array>;
  /** Writes beside the target and renames, so that a reader never sees half a file. `mode` as in chmod. */
  write(path: string, content: string | Uint8Array, mode?: number): void;
  /** The same, chunk by chunk. */
  grow(path: string): GrowingFile;
  /** Puts a text at the end of a file, which is made, readable by its owner only, where there is none. */
  append(path: string, text: string): void;
  /** All that was written into a file, by whomever, is on the disk afterwards and survives a loss of power. */
  sync(path: string): void;
  /** Renames a file inside its folder, replacing an earlier file of that name. */
  rename(path: string, name: string): void;
  /** Copies a file whole; the copy may be lost with the power. */
  copy(path: string, to: string): void;
  makeFolder(path: string, mode?: number): void;
  /** A new empty folder of the system's temporary place. */
  makeTemporaryFolder(prefix: string): string;
  remove(path: string): void;
  list(folder: string): readonly string[];
  /** Permission bits, as in chmod; undefined when there is no such file. */
  mode(path: string): number | undefined;
  /** The facts of the system about a file or a folder; undefined if there is none. */
  look(path: string): LookedAt | undefined;
  /** Bytes; undefined when there is no such file. */
  size(path: string): number | undefined;
  /** Bytes that are free on the disk of a folder; undefined where the system does not tell. */
  room(folder: string): number | undefined;
}

export interface LookedAt {
  /** False for a folder, a device and the like. */
  readonly isFile: boolean;
  readonly bytes: number;
  /** When its content was last changed, in milliseconds. */
  readonly changedAt: number;
}

/** A file on its way: nobody sees it under its name before it is whole. */
export interface GrowingFile {
  write(bytes: Uint8Array): void;
  /** Gives it its name. */
  finish(): void;
  /** Leaves nothing of it; after `finish` it does nothing. */
  discard(): void;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
}

export interface Output {
  /** Resolves when the text is handed on; a reader that has gone away (EPIPE) ends the program silently. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Width in columns; 80 when unknown. */
  readonly columns: number;
  /** Height in lines; 24 when unknown. */
  readonly rows: number;
}

export interface Input {
  readonly isTerminal: boolean;
  /** All of standard input. */
  readBytes(): Promise<Uint8Array>;
  /** Standard input as it comes. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Where the system keeps secrets of the user. An impossible request is an error with the reason. */
export interface Keychain {
  /** Its name for people, and under which name it has an entry. */
  describe(account: string): string;
  /** Why it cannot store anything now; undefined if it can. Reads only. */
  missingPart(): string | undefined;
  /** Undefined when it has no such entry. */
  read(account: string): string | undefined;
  write(account: string, secret: string): void;
  remove(account: string): void;
}

export interface Signals {
  /** Calls `handler` on SIGINT and SIGTERM until the returned function is called. */
  onInterrupt(handler: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /** The same on SIGHUP, which else ends the program. */
  onHangup(handler: () => void): () => void;
}

export type Run = (program: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;

/** Resolves when the person leaves the pager; with false when the command could not be started, and nothing was shown. */
export type ShowPaged = (command: string, text: string) => Promise<boolean>;

export interface RunOptions {
  /** Its standard input. */
  readonly input?: string;
  /** Milliseconds after which it is ended; default half a minute. */
  readonly longest?: number;
  /** Its environment; ours when left out. */
  readonly env?: Platform['env'];
  /** It is no part of what Ctrl-C ends: whoever runs it waits for it. A second Ctrl-C ends it, and us. */
  readonly apart?: boolean;
  /** When its time is over it is killed, as by a crash, and has no time to end. */
  readonly isAbrupt?: boolean;
  /** Is given what it says on its standard output, as it comes. */
  readonly hear?: (text: string) => void;
  /** Its time is over at the latest when this is aborted. */
  readonly signal?: AbortSignal;
}

/** How another program ended. 127 when there is no such program. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It took longer than it may, and was ended. */
  readonly isLate?: true;
}
