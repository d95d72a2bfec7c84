/** Functions of a mirror on a server for the programs that share it. A mirror in a file has none of them. */
export interface SharedMirror {
  readonly secrets: SecretTable;
  /** The requests that the machines have spent of a key's budget. */
  account(owner: QuotaOwner): SharedAccount;
  /** Who has which lock of the mirror now. */
  leases(): Promise<readonly LeaseHolder[]>;
  /** Connections of this program to the server. */
  connections(): Promise<ConnectionCounts>;
}

/** A lock of the mirror, and who has it. */
export interface LeaseHolder {
  readonly name: string;
  readonly holder: string;
  /** Milliseconds since it was taken. */
  readonly ageMs: number;
}

export interface ConnectionCounts {
  readonly inUse: number;
  readonly idle: number;
  /** Work that waits for a connection. */
  readonly waiting: number;
}

/** The desk key's own mark, signing secrets of subscriptions by their id, and keys of settlement records by theirs. */
export type SecretKind = 'desk' | 'webhook' | 'record';

/** Secrets that several machines share, sealed with a key that the database never sees. */
export interface SecretTable {
  /** Those of a kind, or those with these names. */
  stored(kind: SecretKind, names?: readonly string[]): Promise<readonly StoredSecret[]>;
  /** Adds one; false where one of this name is stored. */
  add(secret: StoredSecret): Promise<boolean>;
  /** Adds one, or replaces it. */
  put(secret: StoredSecret): Promise<void>;
  remove(kind: SecretKind, name: string): Promise<void>;
}

export interface StoredSecret {
  readonly kind: SecretKind;
  readonly name: string;
  /** Undefined of a key that signs no more. */
  readonly sealed: string | undefined;
  /** JSON that everybody who reads the database may know. */
  readonly facts: string;
}

/** Whose account of requests: a service, and an access to it. */
export interface QuotaOwner {
  readonly service: string;
  readonly access: string;
}

/** An account of requests as text, empty at first. `now`: the shared clock, in milliseconds. */
interface StoredAccount {
  readonly text: string;
  readonly now: number;
}

export interface SharedAccount {
  /** Fails for a role that may not change it: such a one shares nothing. */
  read(): Promise<StoredAccount>;
  /** Changes it, and nobody else meanwhile. */
  change<T>(work: (stored: StoredAccount) => readonly [text: string, told: T]): Promise<T>;
  /** Waits for the changes under way. */
  close(): Promise<void>;
}
