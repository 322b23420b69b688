import { describe, expect, it } from 'vitest';
import { because } from '../../contract/shared/reasons';
import { parseHooks } from './hook-file';

const file = (...hooks: object[]) => JSON.stringify({ hooks });
const plain = { name: 'format', event: 'after_tool', command: 'fmt' };

describe('a hooks.json', () => {
  it('has defaults for everything but name, event and command', () => {
    expect(parseHooks(file(plain))).toEqual({
      hooks: [{ ...plain, tools: [], paths: [], commands: [], timeoutSeconds: 30, onError: 'deny' }],
    });
  });

  it.each<[string, string]>([
    ['no JSON', '{'],
    ['no list', '{"hooks":{}}'],
    ['unknown fields', file({ ...plain, onerror: 'deny' })],
    ['an unknown event', file({ ...plain, event: 'before' })],
    ['two hooks of one name', file(plain, plain)],
    ['a tool that does not exist', file({ ...plain, tools: ['edit'] })],
    ['a path that leaves the folder', file({ ...plain, paths: ['../a'] })],
    ['a name that could hide something', file({ ...plain, name: 'a\u202eb' })],
    ['no end', file({ ...plain, timeoutSeconds: 100_000 })],
  ])('is not used with %s', (_, text) => {
    expect(parseHooks(text)).toHaveProperty('why');
  });

  it.each<[string, object, number]>([
    ['an unknown field', { ...plain, onerror: 'deny' }, 8],
    ['an unknown event', { ...plain, event: 'before' }, 10],
    ['the name of another one', { ...plain, name: 'first' }, 9],
    ['a tool that does not exist', { ...plain, tools: ['execute', 'edit'] }, 14],
    ['a path that leaves the folder', { ...plain, paths: ['../a'] }, 13],
  ])('names the line of %s', (_, hook, line) => {
    const text = JSON.stringify({ hooks: [{ ...plain, name: 'first' }, hook] }, null, 2);
    expect(parseHooks(text)).toMatchObject({ why: { code: 'hooks_at_line', values: { line } } });
  });

  it('names the place where the text is no JSON', () => {
    expect(parseHooks('{\n  "hooks": [\n  ],\n}')).toEqual({
      why: because('json_at', { line: 4, column: 1 }),
    });
  });

  it('may name tools of MCP servers', () => {
    expect(parseHooks(file({ ...plain, tools: ['github__*', 'trial__ask'] }))).toHaveProperty('hooks');
  });
});
