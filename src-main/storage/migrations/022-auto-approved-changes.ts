/** Changes that were kept without asking, to find them among all others before a rule lets a command run. */
export const unaskedChanges = `
CREATE INDEX file_changes_unasked ON file_changes (project_id, id) WHERE author ->> '$.unasked' IS NOT NULL;
`;
