import { expect, it } from 'vitest';
import { contentOf } from './results';

const artifact = (data: unknown) => [{ type: 'mcp_structured_content', data }];

it('converts data without text to text', () => {
  expect(contentOf([], artifact({ a: [1] }))).toBe('{\n  "a": [\n    1\n  ]\n}');
});

it('omits data that is nested too deep to convert [safety 24]', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(contentOf([], artifact(deep))).toMatch(/nested more than 64 levels deep/);
});
