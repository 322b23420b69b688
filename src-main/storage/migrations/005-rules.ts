/** What the person allows or denies without being asked again. A rule is deleted with its conversation or project. */
export const rules = `
CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  thread_id TEXT REFERENCES threads (id) ON DELETE CASCADE,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX rules_by_thread ON rules (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX rules_by_project ON rules (project_id) WHERE project_id IS NOT NULL;
`;
