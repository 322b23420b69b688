import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeepAgent } from '../agent/create-deep-agent';
import { createFilesystemMiddleware } from '../agent/middleware/filesystem';
import { createSummarizationMiddleware } from '../agent/middleware/summarization';
import { ScriptedModel } from '../agent/testing/scripted-model';
import { CompositeBackend } from './composite';
import { FilesystemBackend } from './filesystem';
import { PermissionBackend } from './policy/permissions';
import type { BackendProtocol } from './protocol';
import { LocalShellBackend } from './shell/local-shell';
import { StateBackend } from './state';
import { routePrompt } from './tree-facts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'routes-')));
const notes = () => new FilesystemBackend({ rootDir: join(folder, 'notes') });

describe('a tree in which commands run', () => {
  const shell = () => new LocalShellBackend({ rootDir: folder });

  it('says where its routes are on the disk, and which commands cannot reach', () => {
    const tree = new CompositeBackend(shell(), { '/notes/': notes(), '/scratch/': new StateBackend() });
    const said = [
      `- In commands, \`/\` of the file tools is \`${folder}/\`.`,
      `- In commands, \`/notes/\` of the file tools is \`${folder}/notes/\`.`,
      '- Commands cannot reach files below /scratch/. Use the file tools for them.',
    ];
    expect(routePrompt(tree).split('\n').sort()).toEqual(said.sort());
    const { tools = [] } = createFilesystemMiddleware({ backend: new PermissionBackend(tree, []) });
    const execute = tools.find(({ name }) => name === 'execute');
    expect(execute?.description).toContain(`\`${folder}/notes/\``);
  });

  it('says nothing of a route that has the same name for both', () => {
    const project = shell();
    const tree = new CompositeBackend(new StateBackend(), { [folder]: project }, { execute: project });
    expect(routePrompt(tree)).toBe('');
  });

  it('says that the disk is out of reach if commands run on another machine', () => {
    const remote = {
      ...new StateBackend(),
      id: 'box',
      execute: async () => ({}),
    } as unknown as LocalShellBackend;
    const tree = new CompositeBackend(remote, { '/notes/': notes() });
    expect(routePrompt(tree)).toBe(
      '- Commands cannot reach files below /notes/. Use the file tools for them.',
    );
    expect(routePrompt(new CompositeBackend(new StateBackend(), { '/notes/': notes() }))).toBe('');
  });
});

describe('artifactsRoot', () => {
  const long = 'word '.repeat(30_000);
  const print = tool(() => long, { name: 'print', description: 'Prints.', schema: z.object({}) });

  /** The files that a large result and a summary leave behind. */
  async function filesOf(backend: BackendProtocol) {
    const model = new ScriptedModel((messages) =>
      messages.some((one) => one.type === 'tool')
        ? { text: 'Done.' }
        : { text: 'A summary, or a call.', calls: [{ name: 'print', args: {} }] },
    );
    const agent = createDeepAgent({
      model,
      tools: [print],
      backend,
      middleware: [
        createSummarizationMiddleware({
          model,
          backend,
          trigger: { type: 'tokens', value: 5_000 },
          keep: { type: 'messages', value: 1 },
        }),
      ],
    });
    const before = ['a', 'b', 'c'].flatMap((name) => [
      new HumanMessage(name),
      new AIMessage(long.slice(0, 9_000)),
    ]);
    const state = await agent.invoke({ messages: [...before, new HumanMessage('go')] });
    const { files } = state as unknown as { files: Record<string, unknown> };
    const result = state.messages.find((one): one is ToolMessage => one.type === 'tool');
    return {
      files: Object.keys(files).map((path) => path.split('/').slice(0, -1).join('/')),
      text: result?.text,
    };
  }

  it('moves large results and old conversations below it', async () => {
    const tree = new CompositeBackend(new StateBackend(), {}, { artifactsRoot: '/artifacts/' });
    const { files, text } = await filesOf(tree);
    expect(files).toContain('/artifacts/large_tool_results');
    expect(files.some((path) => path.startsWith('/artifacts/conversation_history/'))).toBe(true);
    expect(files.every((path) => path.startsWith('/artifacts/'))).toBe(true);
    expect(text).toContain('/artifacts/large_tool_results/');
  });

  it('is the root by default, also behind rules, and must be a path', async () => {
    expect((await filesOf(new StateBackend())).files).toContain('/large_tool_results');
    const tree = new CompositeBackend(new StateBackend(), {}, { artifactsRoot: '/own' });
    expect((await filesOf(new PermissionBackend(tree, []))).files).toContain('/own/large_tool_results');
    expect(() => new CompositeBackend(new StateBackend(), {}, { artifactsRoot: '../x' })).toThrow(
      'artifactsRoot',
    );
  });
});
