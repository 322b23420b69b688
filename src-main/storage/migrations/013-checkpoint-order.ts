/** Checkpoints of a thread in the order in which they were put, which a clock that is set back does not change. */
export const checkpointOrder = 'CREATE INDEX checkpoints_in_order ON checkpoints (thread, ns);';
