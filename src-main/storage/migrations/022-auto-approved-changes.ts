/**
 * Changes that were kept without asking, to find them among all others before a rule lets a command run. SQLite cannot index
 * a damaged author, so it becomes an empty one, which cannot be read either.
 */
export const autoApprovedChanges = `
UPDATE file_changes SET author = '{}' WHERE NOT json_valid(author);
CREATE INDEX file_changes_auto_approved ON file_changes (project_id, id) WHERE author ->> '$.autoApproved' IS NOT NULL;
`;
