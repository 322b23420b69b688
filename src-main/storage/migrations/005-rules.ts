/** What the person lets run, or forbids, without being asked again. A rule goes with the conversation or project it is for. */
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
