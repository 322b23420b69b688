import { tmpdir } from 'node:os';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
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
import { formatMatches } from './grep';
import { numberLines } from './read-file';

const memory = () => memoryBackend(new Map(), async () => ({ output: '', exitCode: 0, truncated: false }));

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

/** Runs some calls and returns the text and status of their results. */
async function results(
  backend: BackendProtocol,
  ...calls: { name: string; args: Record<string, unknown> }[]
) {
  const agent = createAgent({
    model: new ScriptedModel((_m, request) => (request === 0 ? { calls } : { text: 'Done.' })),
    middleware: [createFilesystemMiddleware({ backend })],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
  return messages.filter((m) => ToolMessage.isInstance(m)).map((m) => [m.status, m.text]);
}

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

describe('a long list', () => {
  const backend = (count: number, truncated = false): BackendProtocol => ({
    ...memory(),
    glob: async () => ({
      files: Array.from({ length: count }, (_, i) => ({ path: `/f${i}` })),
      truncated,
    }),
    ls: async () => ({
      files: [
        { path: '/d/', is_dir: true },
        { path: '/a', size: 3, modified_at: '2026-02-03T04:05:06.000Z' },
        { path: '/b', size: 4, modified_at: '' },
      ],
    }),
  });

  it('has pages of files that say where to continue', async () => {
    const [[, first], [, last], past] = (await results(
      backend(1_002),
      { name: 'glob', args: { pattern: '*' } },
      { name: 'glob', args: { pattern: '*', offset: 1_000 } },
      { name: 'glob', args: { pattern: '*', offset: 2_000 } },
    )) as [[string, string], [string, string], unknown];
    expect(first.split('\n').at(-1)).toBe('[Files 1-1000 of 1002. Continue with offset=1000.]');
    expect(last).toBe('/f1000\n/f1001');
    expect(past).toEqual(['error', 'Error: offset 2000 is past the end: 1002 files match.']);
  });

  it('continues behind the last name that fits, if names are long', async () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `/d/${index}-${'x'.repeat(120)}`);
    const files = paths.map((path) => ({ path, size: 1 }));
    const long = { ...memory(), glob: async () => ({ files }), ls: async () => ({ files }) };
    const pages = async (name: string, args: object, at: (text: string) => string | undefined) => {
      const seen: (string | undefined)[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const [[, text] = []] = await results(long, { name, args: { ...args, offset } });
        const lines = text?.split('\n') ?? [];
        seen.push(...lines.filter((line) => line.startsWith('/')).map(at));
        const next: string | undefined = /offset=(\d+)\.\]$/.exec(lines.at(-1) ?? '')?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      return seen;
    };
    expect(await pages('glob', { pattern: '*' }, (line) => line)).toEqual(paths);
    expect(await pages('ls', { path: '/d' }, (line) => line.split(' ')[0])).toEqual(paths);
  });

  it('says that it is not complete if the backend cannot continue it', async () => {
    const cut = { ...memory(), ls: async () => ({ files: [{ path: '/d/a', size: 1 }], truncated: true }) };
    expect(await results(cut, { name: 'ls', args: { path: '/d' } })).toEqual([
      [
        'success',
        '/d/a (1 bytes)\n[There are more entries, which could not be listed. Find them with glob.]',
      ],
    ]);
  });

  it('that is empty says how an extended pattern of a shell was understood', async () => {
    const found = await results(
      backend(0),
      ...['!(a).ts', '*.+(md|ts)', 'app/(auth)/*'].map((pattern) => ({ name: 'glob', args: { pattern } })),
    );
    const hint = 'Parentheses were taken literally; use {a,b} for alternatives';
    expect(found).toEqual([
      ['success', `No files found matching pattern '!(a).ts'. ${hint}`],
      ['success', `No files found matching pattern '*.+(md|ts)'. ${hint}`],
      ['success', "No files found matching pattern 'app/(auth)/*'"],
    ]);
  });

  it('shows sizes in a directory, and times if known', async () => {
    expect(await results(backend(0), { name: 'ls', args: {} })).toEqual([
      ['success', '/d/ (directory)\n/a (3 bytes, 2026-02-03 04:05)\n/b (4 bytes)'],
    ]);
  });
});

describe('context lines', () => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join('\n');
  const found = (...lines: number[]): BackendProtocol => ({
    ...memoryBackend(new Map([['/a', text]]), async () => ({ output: '', exitCode: 0, truncated: false })),
    grep: async () => ({ matches: lines.map((line) => ({ path: '/a', line, text: `line ${line}` })) }),
  });
  const grep = async (backend: BackendProtocol, args: object) => {
    const [[, shown] = []] = await results(backend, { name: 'grep', args: { pattern: 'line', ...args } });
    return shown;
  };

  it('are shown once for neighboring matches, with a mark for skipped lines', async () => {
    expect(await grep(found(1, 4, 20), { output_mode: 'content', context: 1 })).toBe(
      '/a:\n  1: line 1\n  2- line 2\n  3- line 3\n  4: line 4\n  5- line 5\n  --\n  19- line 19\n  20: line 20\n  21- line 21',
    );
  });

  it('are left out if the file is gone or only names are wanted', async () => {
    const gone = { ...found(2), read: async () => ({ error: 'gone', kind: 'not_found' as const }) };
    expect(await grep(gone, { output_mode: 'content', context: 2 })).toBe('/a:\n  2: line 2');
    expect(await grep(found(2), { context: 2 })).toBe('/a');
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

describe('a search without matches', () => {
  it('says that the pattern was taken literally if it looks like a regular expression', async () => {
    expect(
      await results(
        memory(),
        { name: 'grep', args: { pattern: 'foo.*bar' } },
        { name: 'grep', args: { pattern: 'foo.*bar', regex: true } },
      ),
    ).toEqual([
      [
        'success',
        "No matches found for pattern 'foo.*bar'. The pattern was taken literally; set regex to true for a regular expression. Hidden and ignored files are searched only if you name them",
      ],
      [
        'success',
        "No matches found for pattern 'foo.*bar'. Hidden and ignored files are searched only if you name them",
      ],
    ]);
  });
});

describe('a search', () => {
  const match = { path: '/a', line: 1, text: 'x' };
  const play = async (truncated: boolean, matches = [match], max_count: number | null = 1) => {
    const found: Partial<BackendProtocol> = {
      grep: async () => ({ matches, truncated }),
      glob: async () => ({ files: [{ path: '/a' }], truncated }),
    };
    const agent = createAgent({
      model: new ScriptedModel((_m, request) =>
        request === 0
          ? {
              calls: [
                { name: 'grep', args: { pattern: 'x', path: '/', glob: null, max_count } },
                { name: 'glob', args: { pattern: '*', path: '/' } },
              ],
            }
          : { text: 'Done.' },
      ),
      middleware: [createFilesystemMiddleware({ backend: { ...memory(), ...found } })],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
    return messages.filter((m) => ToolMessage.isInstance(m)).map((m) => m.text);
  };

  it('says that there is more only if there is [H27]', async () => {
    expect(await play(false)).toEqual(['/a', '/a']);
    expect(await play(true)).toEqual([
      '/a\n[Stopped at 1 matches; there are more. Narrow the search.]',
      '/a\n[More files match. Narrow the pattern or the path.]',
    ]);
  });

  it('says that there is more, even if what was found is cut for its size', async () => {
    const many = Array.from({ length: 900 }, (_, index) => ({
      path: `/${index}${'x'.repeat(120)}`,
      line: 1,
      text: 'x',
    }));
    const [found] = await play(true, many, null);
    expect(found?.split('\n').slice(-2)).toEqual([
      '... [results truncated, try being more specific with your parameters]',
      '[The search ended early: not every file was searched. Found so far: 900. Narrow the path or the glob.]',
    ]);
  });

  it('never takes a search that ended early for one that found everything', async () => {
    const note = (count: number) =>
      `[The search ended early: not every file was searched. Found so far: ${count}. Narrow the path or the glob.]`;
    expect((await play(true, [match], null))[0]).toBe(`/a\n${note(1)}`);
    expect((await play(true, [], null))[0]).toBe(note(0));
    expect((await play(false, [], null))[0]).toContain('No matches found');
  });
});

describe('lines shown by read_file', () => {
  it('are numbered from 1 and have no note if the whole file is shown', () => {
    const page = { content: 'a\nb', offset: 0, limit: 100, totalLines: 2, nextOffset: undefined };
    expect(numberLines(page)).toBe('     1\ta\n     2\tb');
  });

  it('say where to continue', () => {
    const page = { content: 'c\nd', offset: 2, limit: 2, totalLines: 9, nextOffset: 4 };
    expect(numberLines(page)).toBe(
      '     3\tc\n     4\td\n\n[Read 2 lines (lines 3-4 of 9 total). 5 lines remaining from offset 4.]',
    );
  });

  it('are split if they are longer than 5,000 characters', () => {
    const page = { content: 'x'.repeat(12_000), offset: 0, limit: 1, totalLines: 1, nextOffset: undefined };
    expect(
      numberLines(page)
        .split('\n')
        .map((row) => [row.slice(0, 7), row.length]),
    ).toEqual([
      ['     1\t', 5_007],
      ['   1.1\t', 5_007],
      ['   1.2\t', 2_007],
    ]);
  });

  it('are never shown in part: a line that exceeds the limit is shown in whole rows', () => {
    const shown = numberLines({
      content: 'x'.repeat(100_000),
      offset: 0,
      limit: 1,
      totalLines: 2,
      nextOffset: 1,
    }).split('\n');
    expect(shown.slice(0, -3).every((row) => row.length === 5_007)).toBe(true);
    expect(shown.slice(-3)).toEqual([
      '[Line 1 is too long to show in full: search it with grep.]',
      '',
      '[Read 1 lines (lines 1-1 of 2 total). 1 lines remaining from offset 1.]',
    ]);
  });

  it('are cut between lines at the size limit, and the note counts the rest [H34]', () => {
    const content = Array.from({ length: 100 }, () => 'y'.repeat(2_000)).join('\n');
    const shown = numberLines({ content, offset: 0, limit: 100, totalLines: 100, nextOffset: undefined });
    const rows = shown.split('\n').filter((row) => row.includes('\t'));
    expect(rows.length).toBe(39);
    expect(rows.every((row) => row.length === 2_007)).toBe(true);
    expect(shown).toContain('[Read 39 lines (lines 1-39 of 100 total). 61 lines remaining from offset 39.]');
  });
});

describe('a grep result', () => {
  const matches = [
    { path: '/b', line: 2, text: 'x: y' },
    { path: '/a', line: 1, text: 'x' },
    { path: '/b', line: 9, text: 'z'.repeat(600) },
  ];

  it('lists files in order by default', () => {
    expect(formatMatches(matches, 'files_with_matches')).toEqual(['/a', '/b']);
  });

  it('lists counts by file', () => {
    expect(formatMatches(matches, 'count')).toEqual(['/a: 1', '/b: 2']);
  });

  it('lists lines below their file and cuts long ones', () => {
    expect(formatMatches(matches, 'content')).toEqual([
      '/a:',
      '  1: x',
      '/b:',
      '  2: x: y',
      `  9: ${'z'.repeat(500)}…`,
    ]);
  });
});
