import { ENDPOINTS } from '../../endpoints/index.ts';
import { commandsOf, type EndpointCommand } from './endpoint-faces.ts';

/** The commands of all endpoints. The build puts the value in this place, so that help needs no endpoint. */
export const ENDPOINT_FACES: readonly EndpointCommand[] = commandsOf(ENDPOINTS);
