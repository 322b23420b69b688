/** Rules about paths say what is done to a file, where they named tools. */
export const ruleChanges = `
UPDATE rules SET body = json_remove(json_set(body, '$.match.changes', json(
  replace(replace(json_extract(body, '$.match.tools'), '"write_file"', '"write"'), '"edit_file"', '"edit"'))), '$.match.tools')
WHERE json_extract(body, '$.match.kind') = 'path';
`;
