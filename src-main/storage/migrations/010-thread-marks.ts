/**
 * Sort keys of the thread list in addition to time: `pinned_at` and `archived_at` are null if the thread is not pinned or
 * archived. `answered_at`: the last turn that the person did not stop; if it is later than `seen.at`, the thread is unread.
 */
export const threadMarks = `
ALTER TABLE threads ADD COLUMN pinned_at INTEGER;
ALTER TABLE threads ADD COLUMN archived_at INTEGER;
ALTER TABLE threads ADD COLUMN answered_at INTEGER;
CREATE INDEX projects_removed ON projects (removed_at) WHERE removed_at IS NOT NULL;
`;
