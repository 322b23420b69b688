/** Rules about paths now name the change to a file instead of tools. A damaged rule stays as it is. */
export const ruleChanges = `
UPDATE rules SET body = json_remove(json_set(body, '$.match.changes', json(
  replace(replace(json_extract(body, '$.match.tools'), '"write_file"', '"write"'), '"edit_file"', '"edit"'))), '$.match.tools')
WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.match.kind') = 'path' END;
`;
