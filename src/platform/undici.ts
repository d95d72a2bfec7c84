/** The used members of undici by name: bundled, its dynamic import has only a default member. */
export { Agent, EnvHttpProxyAgent, fetch, request } from 'undici';
