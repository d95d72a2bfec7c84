/**
 * The members of undici that are used. Named here, they survive bundling: a dynamic import of the package itself gets
 * nothing but a default member there.
 */
export { Agent, EnvHttpProxyAgent, fetch } from 'undici';
