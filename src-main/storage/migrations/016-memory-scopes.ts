/**
 * A memory is for its project or for everywhere. The ones from before are for everywhere. Their items stay as they are; their
 * paths begin with `/memories/shared/` now. What is damaged stays as it is.
 */
export const memoryScopes = `
UPDATE memory_choices SET path = '/memories/shared' || substr(path, length('/memories') + 1) WHERE path LIKE '/memories/%';
UPDATE memory_uses SET body = (
  SELECT json_group_array(
    CASE WHEN one.value ->> '$.path' LIKE '/memories/%'
    THEN json_set(one.value, '$.path', '/memories/shared' || substr(one.value ->> '$.path', length('/memories') + 1))
    ELSE json(one.value) END
  ) FROM json_each(memory_uses.body) one
) WHERE CASE WHEN json_valid(body) THEN NOT EXISTS (SELECT 1 FROM json_each(body) WHERE type <> 'object') END;
`;
