/** Checkpoints of a thread in insertion order, which does not depend on the clock. */
export const checkpointOrder = 'CREATE INDEX checkpoints_in_order ON checkpoints (thread, ns);';
