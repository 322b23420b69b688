import { describe, expect, it } from 'vitest';
import type { FileData } from '../../backends/protocol';
import { StateBackend } from '../../backends/state';
import { listAgentFiles, parseAgentFile } from './agent-file';

const path = '/p/.deepdesk/agents/reviewer.md';
const file = (front: string, body = 'Review it.') => `---\n${front}\n---\n${body}`;

describe('agent files', () => {
  it('are read in full', async () => {
    const content = file(
      [
        'description: Reviews changes.',
        'model: anthropic:claude-haiku-4-5',
        'tools: [read_file, grep]',
        'permissions:',
        '  - operations: [write]',
        '    paths: ["/**"]',
        '    mode: deny',
      ].join('\n'),
      '\nYou review changes.\n',
    );
    expect(await parseAgentFile(content, path)).toEqual({
      name: 'reviewer',
      description: 'Reviews changes.',
      model: 'anthropic:claude-haiku-4-5',
      tools: ['read_file', 'grep'],
      permissions: [{ operations: ['write'], paths: ['/**'], mode: 'deny' }],
      prompt: 'You review changes.',
      path,
    });
  });

  it.each([
    ['description: ""', 'its frontmatter needs a description: when is it to be used?'],
    [
      'description: d\nmodel: haiku',
      'model must be written as provider:name, such as anthropic:claude-sonnet-4-6.',
    ],
    ['description: d\ntools: { a: 1 }', 'tools must be a list of names.'],
    [
      'description: d\npermissions: [{ operations: [delete], paths: ["/a"] }]',
      'permissions must be a list of',
    ],
    [
      'description: d\npermissions: [{ operations: [read], paths: ["/../a"] }]',
      'permissions must be a list of',
    ],
    ['description: d\npermissions: [{ operations: [read], paths: [] }]', 'permissions must be a list of'],
  ])('are skipped with the frontmatter %j', async (front, problem) => {
    expect(await parseAgentFile(file(front), path)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('are skipped without a text', async () => {
    expect(await parseAgentFile(file('description: d', ' \n'), path)).toEqual({
      problem: 'it has no text below the frontmatter to be its instructions.',
    });
  });

  it('in a later folder replace those in an earlier one; only Markdown files count', async () => {
    let files: Record<string, FileData> = {};
    const backend = new StateBackend({
      files: {
        read: () => files,
        send: (update) => {
          files = { ...files, ...update } as Record<string, FileData>;
        },
      },
    });
    await backend.write('/home/agents/a.md', file('description: mine'));
    await backend.write('/home/agents/b.md', file('description: also mine'));
    await backend.write('/p/agents/a.md', file('description: the project’s'));
    await backend.write('/p/agents/bad.md', 'nothing');
    await backend.write('/p/agents/notes.txt', 'notes');
    const { agents, warnings } = await listAgentFiles(backend, ['/home/agents', '/none', '/p/agents']);
    expect(agents.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'the project’s'],
      ['b', 'also mine'],
    ]);
    expect(warnings).toEqual([
      'The agent in /p/agents/bad.md was left out: it does not begin with frontmatter between two lines of ---.',
    ]);
  });
});
