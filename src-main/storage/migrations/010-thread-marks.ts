/**
 * What the list of threads goes by beside their time: `pinned_at` and `archived_at` are null where they are not.
 * `answered_at`: the last turn that ended without the person stopping it; later than `seen.at`, it is unread.
 */
export const threadMarks = `
ALTER TABLE threads ADD COLUMN pinned_at INTEGER;
ALTER TABLE threads ADD COLUMN archived_at INTEGER;
ALTER TABLE threads ADD COLUMN answered_at INTEGER;
CREATE INDEX projects_removed ON projects (removed_at) WHERE removed_at IS NOT NULL;
`;
