/** Agents on servers, and the tasks that threads have given them. `project_id` is null for every project. */
export const remoteAgents = `
CREATE TABLE remote_agents (
  id TEXT PRIMARY KEY,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE remote_tasks (
  task_id TEXT NOT NULL,
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  -- 1 while the server works on it.
  under_way INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (thread_id, task_id)
) STRICT;
CREATE INDEX remote_tasks_under_way ON remote_tasks (under_way) WHERE under_way = 1;
`;
