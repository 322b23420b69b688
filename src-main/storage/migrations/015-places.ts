/** Places that the person mounts in addition to their projects. `project_id` is null for every project. */
export const places = `
CREATE TABLE places (
  id TEXT PRIMARY KEY,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  body TEXT NOT NULL
) STRICT;
`;
