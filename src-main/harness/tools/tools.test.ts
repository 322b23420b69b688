import { tmpdir } from 'node:os';
import { HumanMessage } from '@langchain/core/messages';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFilesystemMiddleware } from '../agent/middleware/filesystem';
import { memoryBackend } from '../agent/testing/memory-backend';
import { ScriptedModel } from '../agent/testing/scripted-model';
import type { BackendProtocol } from '../backends/protocol';
import { LocalShellBackend } from '../backends/shell/local-shell';
import { canonicalArguments } from './arguments';
import { descriptorOf } from './catalogue';
import { fetchUrlTool } from './fetch-url';
import { memory, results } from './testing/results';

describe('a tool description for the model', () => {
  it('lists every argument as required, even with a default, as strict providers want [H24]', () => {
    for (const tool of createFilesystemMiddleware({ backend: memory() }).tools ?? []) {
      if (!('schema' in tool)) throw new Error('a tool of the provider');
      const schema = toJsonSchema(tool.schema) as { properties?: object; required?: string[] };
      expect([tool.name, schema.required?.toSorted()]).toEqual([
        tool.name,
        Object.keys(schema.properties ?? {}).sort(),
      ]);
    }
  });
});

it('names exactly the arguments without a default as required in the catalogue', () => {
  const tools = [
    ...(createFilesystemMiddleware({ backend: memory() }).tools ?? []),
    fetchUrlTool('Reads a web page.'),
  ];
  for (const tool of tools) {
    const { required } = descriptorOf(tool.name as string)?.arguments ?? {};
    if (!('schema' in tool) || !(tool.schema instanceof z.ZodObject)) throw new Error('not one of our tools');
    const bare = Object.entries(tool.schema.shape)
      .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
      .map(([name]) => name);
    if (required !== undefined) expect([tool.name, required]).toEqual([tool.name, bare]);
    else expect([tool.name, bare]).toEqual([tool.name, []]);
  }
});

describe('a command that cannot be started', () => {
  const isWindows = process.platform === 'win32';

  it.skipIf(isWindows)('is an error that the model can read, and the run continues', async () => {
    const commands = ['echo a\0b', `echo ${'x'.repeat(3_000_000)}`];
    const calls = commands.map((command) => ({ name: 'execute', args: { command } }));
    expect(await results(new LocalShellBackend({ rootDir: tmpdir() }), ...calls)).toEqual([
      ['error', 'Error: The command must not contain a NUL character.'],
      [
        'error',
        expect.stringMatching(/^Error: the command is too long for this system, so it did not run\./),
      ],
    ]);
    const rejects = Object.assign(new LocalShellBackend({ rootDir: tmpdir() }), {
      execute: () => Promise.reject(Object.assign(new Error('spawn E2BIG'), { syscall: 'spawn' })),
    });
    expect(await results(rejects, { name: 'execute', args: { command: 'echo' } })).toEqual([
      ['error', 'Error: The command could not be started: spawn E2BIG'],
    ]);
  });
});

describe('the arguments of a call', () => {
  it('are explained if they do not match the schema, without the stack of the program', async () => {
    const wrong = { name: 'read_file', args: { file_path: 5 } };
    const [[status, text] = []] = await results(memory(), wrong);
    expect([status, text]).toEqual([
      'error',
      'Error: read_file was not run: its arguments do not match the schema. Correct them and try again.\n✖ Invalid input: expected string, received number\n  → at file_path',
    ]);
  });

  it('may use aliases, and numbers written as text [H25]', async () => {
    const asked: unknown[] = [];
    const backend: BackendProtocol = {
      ...memoryBackend(new Map([['/a', 'one\ntwo\nthree']]), async () => ({
        output: '',
        exitCode: 0,
        truncated: false,
      })),
      grep: async (pattern, path, glob, maxCount) => {
        asked.push([pattern, path, glob, maxCount]);
        return { matches: [] };
      },
    };
    expect(
      await results(
        backend,
        { name: 'read_file', args: { path: '/a', offset: '1', limit: '1' } },
        { name: 'edit_file', args: { path: '/a', oldString: 'one', newString: '1', replaceAll: 'false' } },
        { name: 'grep', args: { pattern: 'x', max_count: '5', path: null } },
      ),
    ).toEqual([
      ['success', '     2\ttwo\n\n[Read 1 lines (lines 2-2 of 3 total). 1 lines remaining from offset 2.]'],
      ['success', "Successfully replaced 1 occurrence(s) in '/a'"],
      [
        'success',
        "No matches found for pattern 'x'. Hidden and ignored files are searched only if you name them",
      ],
    ]);
    expect(asked).toEqual([['x', '/', null, 5]]);
  });

  it('stay unchanged if they fit, belong to another tool, or are unknown', () => {
    const fit = { file_path: '/a', offset: 0 };
    expect(canonicalArguments('read_file', fit)).toBe(fit);
    const foreign = { path: '/a', limit: '5' };
    expect(canonicalArguments('weather', foreign)).toBe(foreign);
    expect(canonicalArguments('read_file', { path: '/b', file_path: '/a', limit: 'many' })).toEqual({
      path: '/b',
      file_path: '/a',
      limit: 'many',
    });
    expect(canonicalArguments('execute', { command: 'ls', timeout: null, background: 'true' })).toEqual({
      command: 'ls',
      timeout: null,
      background: true,
    });
    expect(canonicalArguments('write_file', { file_path: '/a', content: '12' })).toEqual({
      file_path: '/a',
      content: '12',
    });
  });
});

describe('a path with ..', () => {
  it('is refused by every tool before a backend is asked', async () => {
    const asked: string[] = [];
    const backend = new Proxy(memory(), {
      get: (target, name, receiver) => {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          asked.push(String(name));
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
    const path = '/notes/../secrets';
    const answers = await results(
      backend,
      { name: 'ls', args: { path } },
      { name: 'read_file', args: { file_path: path } },
      { name: 'write_file', args: { file_path: path, content: 'x' } },
      { name: 'edit_file', args: { file_path: path, old_string: 'a', new_string: 'b' } },
      { name: 'delete', args: { file_path: path } },
      { name: 'glob', args: { pattern: '*', path } },
      { name: 'grep', args: { pattern: 'x', path } },
    );
    expect(answers).toEqual(Array(7).fill(['error', `Error: Path traversal not allowed: ${path}`]));
    expect(asked).toEqual([]);
  });
});

describe('the offered tools', () => {
  const toolsOf = (options: Partial<Parameters<typeof createFilesystemMiddleware>[0]>) =>
    new Map(
      (createFilesystemMiddleware({ backend: memory(), ...options }).tools ?? []).flatMap((tool) =>
        'name' in tool ? [[String(tool.name), String(tool.description)] as const] : [],
      ),
    );

  it('mention only tools that are offered', () => {
    const all = toolsOf({});
    expect(all.get('execute')).toContain(
      'use ls, read_file, edit_file, glob and grep instead of shell commands',
    );
    expect(all.get('grep')).toContain('Use this tool instead of grep in a shell');
    const few = toolsOf({ tools: ['read_file', 'execute', 'ls'] });
    expect([...few.keys()]).toEqual(['ls', 'read_file', 'execute']);
    expect(few.get('execute')).toContain('- For files, use ls and read_file instead of shell commands.\n');
    expect(toolsOf({ tools: ['read_file', 'grep'] }).get('grep')).not.toContain('shell');
  });

  it('have the descriptions that they are given', () => {
    expect(toolsOf({ customToolDescriptions: { grep: 'Looks.' } }).get('grep')).toBe('Looks.');
  });

  it('search for as many matches as the model asks for, but never more than a thousand', async () => {
    const asked: unknown[] = [];
    const backend: BackendProtocol = {
      ...memory(),
      grep: async (_pattern, _path, _glob, maxCount) => {
        asked.push(maxCount);
        return { matches: [] };
      },
    };
    const calls = [null, 20, 500, 5_000].map((max_count) => ({
      name: 'grep',
      args: { pattern: 'x', max_count },
    }));
    const agent = createAgent({
      model: new ScriptedModel((_m, request) => (request === 0 ? { calls } : { text: 'Done.' })),
      middleware: [createFilesystemMiddleware({ backend, grepMaxCount: 50 })],
    });
    await agent.invoke({ messages: [new HumanMessage('go')] });
    expect(asked).toEqual([50, 20, 500, 1_000]);
  });
});
