import { ENDPOINTS } from '../../endpoints/index.ts';
import { type EndpointFace, facesOf } from './endpoint-faces.ts';

/** The commands of all endpoints. The build puts the value in this place, so that help needs no endpoint. */
export const ENDPOINT_FACES: readonly EndpointFace[] = facesOf(ENDPOINTS);
