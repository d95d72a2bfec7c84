import { stopServers } from './postgres.ts';

/** Ends the PostgreSQL server of the run, if a test has started one. */
export async function teardown(): Promise<void> {
  await stopServers(process.pid);
}
