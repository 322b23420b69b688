import { randomUUID } from 'node:crypto';

/** Starts ids that the service did not give. With a random one it has 40 characters, the most that OpenAI takes. */
const OWN = 'own_';
/** Calls of threads from before have random ids of the package. */
const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

/** An id for a call that came without one. */
export const ownId = (): string => `${OWN}${randomUUID()}`;

/** Whether the service gave this id to a call and expects it back with the result. */
export const isServiceId = (id: string | undefined): id is string =>
  id !== undefined && id !== '' && !id.startsWith(OWN) && !RANDOM.test(id);
