import { describe, expect, it } from 'vitest';
import { because } from '../../../contract/shared/reasons';
import type { FileData } from '../../backends/protocol';
import { StateBackend } from '../../backends/state';
import { listAgentFiles, parseAgentFile } from './agent-file';

const path = '/p/.deepdesk/agents/reviewer.md';
const file = (front: string, body = 'Review it.') => `---\n${front}\n---\n${body}`;

function inMemory() {
  let files: Record<string, FileData> = {};
  return new StateBackend({
    files: {
      read: () => files,
      send: (update) => {
        files = { ...files, ...update } as Record<string, FileData>;
      },
    },
  });
}

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
      permissionsLine: 5,
      prompt: 'You review changes.',
      path,
    });
  });

  it.each([
    ['description: ""', because('agent_description_missing')],
    ['description: d\nmodel: haiku', because('agent_model_form')],
    ['description: d\ntools: { a: 1 }', because('agent_tools_form')],
    [
      'description: d\npermissions: [{ operations: [delete], paths: ["/a"] }]',
      because('agent_permissions_form'),
    ],
    [
      'description: d\npermissions: [{ operations: [read], paths: ["/../a"] }]',
      because('agent_permissions_form'),
    ],
    [
      'description: d\npermissions: [{ operations: [read], paths: ["/~a/**"] }]',
      because('agent_permissions_form'),
    ],
    ['description: d\npermissions: [{ operations: [read], paths: [a] }]', because('agent_permissions_form')],
    ['description: d\npermissions: [{ operations: [read], paths: [] }]', because('agent_permissions_form')],
  ])('are skipped with the frontmatter %j', async (front, problem) => {
    expect(await parseAgentFile(file(front), path)).toEqual({ problem });
  });

  it('are skipped without a text', async () => {
    expect(await parseAgentFile(file('description: d', ' \n'), path)).toEqual({
      problem: because('agent_text_missing'),
    });
  });

  it('in a later folder replace those in an earlier one; only Markdown files count', async () => {
    const backend = inMemory();
    await backend.write('/home/agents/a.md', file('description: mine'));
    await backend.write('/home/agents/b.md', file('description: also mine'));
    await backend.write('/p/agents/a.md', file("description: the project's"));
    await backend.write('/p/agents/bad.md', 'nothing');
    await backend.write('/p/agents/notes.txt', 'notes');
    const { agents, warnings } = await listAgentFiles(backend, ['/home/agents', '/none', '/p/agents']);
    expect(agents.map(({ name, description }) => [name, description])).toEqual([
      ['a', "the project's"],
      ['b', 'also mine'],
    ]);
    expect(warnings).toEqual([
      because('agent_left_out', { path: '/p/agents/bad.md', why: because('no_front_matter') }),
    ]);
  });

  it('beyond a hundred in a folder are left out, with a warning', async () => {
    const backend = inMemory();
    for (let number = 1; number <= 101; number += 1)
      await backend.write(`/p/agents/${number}.md`, file('description: d'));
    await backend.write('/p/more/last.md', file('description: d'));
    const { agents, warnings } = await listAgentFiles(backend, ['/p/agents', '/p/more']);
    expect(agents).toHaveLength(101);
    expect(agents.at(-1)?.name).toBe('last');
    expect(warnings).toEqual([because('agents_beyond', { path: '/p/agents/', count: 100 })]);
  });
});
