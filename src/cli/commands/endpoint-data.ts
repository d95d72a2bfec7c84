import { ENDPOINTS } from '../../endpoints/index.ts';
import { commandsOf, type EndpointCommand } from './endpoint-faces.ts';

/**
 * The commands of all endpoints, or those whose first word is `first`. The build puts their values in this place, so that help
 * needs no endpoint.
 */
export function endpointFaces(first?: string): readonly EndpointCommand[] {
  return commandsOf(ENDPOINTS).filter(({ path }) => first === undefined || path[0] === first);
}
