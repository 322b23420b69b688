/**
 * Calls that ran while their agent had text from outside in its context. What they wrote may contain it. `path`: the file that
 * the call names; others are in `file_changes`. `sources` is JSON.
 */
export const outsideCalls = `
CREATE TABLE outside_calls (
  project_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  path TEXT,
  sources TEXT NOT NULL,
  PRIMARY KEY (project_id, thread_id, call_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outside_calls_by_path ON outside_calls (project_id, path) WHERE path IS NOT NULL;
`;
