import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { malformedCall, normalizeCalls } from './normalize-calls';

const call = (id: string) => ({ id, name: 'ls', args: {}, type: 'tool_call' as const });

describe('the calls of an answer', () => {
  it('get new ids if theirs were used before, even in the content blocks', () => {
    const history = [new AIMessage({ content: '', tool_calls: [call('call_0')] })];
    const answer = new AIMessage({
      content: [{ type: 'tool_use', id: 'call_0', name: 'ls', input: {} }],
      tool_calls: [call('call_0')],
    });
    const repaired = normalizeCalls(answer, history);
    const id = repaired.tool_calls?.[0]?.id;
    expect(id).not.toBe('call_0');
    expect(repaired.content).toMatchObject([{ type: 'tool_use', id }]);
  });

  it('are marked as malformed if their streamed arguments were cut off, even if LangChain completed them', () => {
    const answer = new AIMessageChunk({
      content: '',
      tool_call_chunks: [{ id: '1', name: 'write_file', args: '{"file_path":"/a","content":"hal', index: 0 }],
    });
    expect(answer.tool_calls?.[0]?.args).toEqual({ file_path: '/a', content: 'hal' });
    const repaired = normalizeCalls(answer, []);
    expect(malformedCall([repaired], '1')).toMatch(/JSON/);
  });

  it('become failing calls if they are not JSON', () => {
    const answer = new AIMessage({
      content: '',
      invalid_tool_calls: [{ id: '1', name: 'ls', args: '{oops', error: 'Malformed args.' }],
    });
    const repaired = normalizeCalls(answer, []);
    expect(repaired.tool_calls?.map(({ id, name }) => [id, name])).toEqual([['1', 'ls']]);
    expect(malformedCall([repaired], '1')).toBe('Malformed args.');
  });

  it('fail if their arguments are nested too deep for their readers, and leave none of them [safety 24]', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const answer = new AIMessage({
      content: [
        { type: 'text', text: 'Now.' },
        { type: 'tool_use', id: '1', name: 'ls', input: { path: deep } },
      ],
      tool_calls: [{ ...call('1'), args: { path: deep } }, call('2')],
    });
    const repaired = normalizeCalls(answer, []);
    expect(repaired.tool_calls?.map(({ id, args }) => [id, args])).toEqual([
      ['1', {}],
      ['2', call('2').args],
    ]);
    expect(malformedCall([repaired], '1')).toBe('nested more than 64 levels deep');
    expect(repaired.content).toEqual([{ type: 'text', text: 'Now.' }]);
    expect(() => JSON.stringify(repaired)).not.toThrow();
  });

  it('stay unchanged if they are valid', () => {
    const answer = new AIMessage({ content: '', tool_calls: [call('1')] });
    expect(normalizeCalls(answer, [])).toBe(answer);
  });
});
