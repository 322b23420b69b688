import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { createFilesystemMiddleware } from '../agent/middleware/filesystem';
import { memoryBackend } from '../agent/testing/memory-backend';
import { ScriptedModel } from '../agent/testing/scripted-model';
import type { BackendProtocol } from '../backends/protocol';
import { formatMatches } from './grep';
import { memory, results } from './testing/results';

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
