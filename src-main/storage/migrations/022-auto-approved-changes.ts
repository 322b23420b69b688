/** Changes that were kept without asking, to find them among all others before a rule lets a command run. */
export const autoApprovedChanges = `
CREATE INDEX file_changes_auto_approved ON file_changes (project_id, id) WHERE author ->> '$.autoApproved' IS NOT NULL;
`;
