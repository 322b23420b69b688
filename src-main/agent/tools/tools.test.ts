import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import type { BackendProtocol } from '../../backends/protocol';
import { createFilesystemMiddleware } from '../middleware/filesystem';
import { memoryBackend } from '../testing/memory-backend';
import { ScriptedModel } from '../testing/scripted-model';
import { formatMatches } from './grep';
import { numberLines } from './read-file';

const memory = () => memoryBackend(new Map(), async () => ({ output: '', exitCode: 0, truncated: false }));

describe('what the model is told of a tool', () => {
  it('H24 names every argument as required, those with a default too, which strict providers ask for', () => {
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

describe('a search', () => {
  const match = { path: '/a', line: 1, text: 'x' };
  const play = async (truncated: boolean) => {
    const found: Partial<BackendProtocol> = {
      grep: async () => ({ matches: [match], truncated }),
      glob: async () => ({ files: [{ path: '/a' }], truncated }),
    };
    const agent = createAgent({
      model: new ScriptedModel((_m, request) =>
        request === 0
          ? {
              calls: [
                { name: 'grep', args: { pattern: 'x', path: '/', glob: null, max_count: null } },
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

  it('H27 says that there is more only where there is', async () => {
    expect(await play(false)).toEqual(['/a', '/a']);
    expect(await play(true)).toEqual([
      '/a\n[Stopped at 1 matches; there are more. Narrow the search.]',
      '/a\n[More files match. Narrow the pattern or the path.]',
    ]);
  });
});

describe('the lines that read_file shows', () => {
  it('are numbered from 1, and say nothing more when the file was shown whole', () => {
    const page = { content: 'a\nb', offset: 0, limit: 100, totalLines: 2, nextOffset: undefined };
    expect(numberLines(page)).toBe('     1\ta\n     2\tb');
  });

  it('say where to go on', () => {
    const page = { content: 'c\nd', offset: 2, limit: 2, totalLines: 9, nextOffset: 4 };
    expect(numberLines(page)).toBe(
      '     3\tc\n     4\td\n\n[Read 2 lines (lines 3-4 of 9 total). 5 lines remaining from offset 4.]',
    );
  });

  it('are split where they are longer than 5,000 characters', () => {
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

  it('are cut between lines at the size limit, with the note counting what is left', () => {
    const content = Array.from({ length: 100 }, () => 'y'.repeat(2_000)).join('\n');
    const shown = numberLines({ content, offset: 0, limit: 100, totalLines: 100, nextOffset: undefined });
    const rows = shown.split('\n').filter((row) => row.includes('\t'));
    expect(rows.length).toBe(39);
    expect(rows.every((row) => row.length === 2_007)).toBe(true);
    expect(shown).toContain('[Read 39 lines (lines 1-39 of 100 total). 61 lines remaining from offset 39.]');
  });
});

describe('what grep shows', () => {
  const matches = [
    { path: '/b', line: 2, text: 'x: y' },
    { path: '/a', line: 1, text: 'x' },
    { path: '/b', line: 9, text: 'z'.repeat(600) },
  ];

  it('is files by default, in order', () => {
    expect(formatMatches(matches, 'files_with_matches')).toEqual(['/a', '/b']);
  });

  it('is counts by file', () => {
    expect(formatMatches(matches, 'count')).toEqual(['/a: 1', '/b: 2']);
  });

  it('is lines below their file, long ones cut', () => {
    expect(formatMatches(matches, 'content')).toEqual([
      '/a:',
      '  1: x',
      '/b:',
      '  2: x: y',
      `  9: ${'z'.repeat(500)}…`,
    ]);
  });
});
