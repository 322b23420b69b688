import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../contract/attachments';
import { MessageId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import type { Compaction } from '../../../harness/agent/context/compaction';
import { OutsideContext, personMessage } from './outside-context';

const FOLDER = '/home/me/project';
const ATTACHMENT: Attachment = {
  id: 'a'.repeat(64),
  kind: 'text',
  origin: 'file',
  name: 'notes.md',
  path: '/attachments/notes.md',
  mimeType: 'text/markdown',
  bytes: 2,
};
const PAGE = { kind: 'page', name: 'docs.example.org' } as const;

const compaction = (keptFrom: number): Compaction => ({
  id: `c${keptFrom}`,
  at: '2026-01-01T00:00:00.000Z',
  keptFrom,
  total: 10,
  summary: 'A summary.',
  archive: '/archive.md',
  messages: keptFrom,
  tokensBefore: 1,
  tokensAfter: 1,
  cause: 'budget',
});

const result = (callId: string) => new ToolMessage({ content: 'text', tool_call_id: callId });

/** A conversation with a page in the third message. */
async function withPage(isUndone?: (id: string) => boolean) {
  const context = new OutsideContext({ folder: FOLDER, ...optional({ isUndone }) });
  const page = result('a');
  const messages = [new HumanMessage('go'), new AIMessage(''), page, new AIMessage('Read.')];
  const call = { callId: 'a', tool: 'fetch_url', args: { url: 'https://docs.example.org/guide' } };
  await context.mark(null, call, page, { messages });
  return { context, messages };
}

describe('text from outside', () => {
  it('is in the context until a compaction replaces it', async () => {
    const { context, messages } = await withPage();
    expect(context.of(null, { messages })).toEqual([PAGE]);
    expect(context.of(null, { messages, _compactions: [compaction(2)] })).toEqual([PAGE]);
    expect(context.of(null, { messages, _compactions: [compaction(3)] })).toEqual([]);
  });

  it('is back when the compaction is undone', async () => {
    const { context, messages } = await withPage((id) => id === 'c3');
    expect(context.of(null, { messages, _compactions: [compaction(3)] })).toEqual([PAGE]);
  });

  it.each([
    ['read_file', { file_path: '/archive.md' }, [PAGE]],
    ['grep', { pattern: 'x' }, [PAGE]],
    ['read_file', { file_path: `${FOLDER}/a.txt` }, []],
    ['grep', { pattern: 'x', path: FOLDER }, []],
    ['ls', { path: '/' }, []],
    ['execute', { command: 'ls' }, []],
  ])('comes back with what is read of saved results: %s %j', async (tool, args, expected) => {
    const { context, messages } = await withPage();
    const again = result('b');
    await context.mark(null, { callId: 'b', tool, args }, again, { messages });
    const after = { messages: [...messages, again], _compactions: [compaction(4)] };
    expect(context.of(null, after)).toEqual(expected);
  });

  it('ends with a compaction for the tool calls after it, whose state does not name compactions', async () => {
    const context = new OutsideContext();
    const { messages } = await withPage();
    expect(context.of(null, { messages })).toEqual([PAGE]);
    context.of(null, { messages, _compactions: [compaction(3)] });
    expect(context.of(null, { messages })).toEqual([]);
    expect(context.of({ callId: 'task', name: 'general' }, { messages })).toEqual([PAGE]);
  });

  it('ends with a compaction of an earlier run for a call at which this run continues', async () => {
    const { messages } = await withPage();
    const own = new OutsideContext({ recordedOf: (agent) => (agent === null ? [compaction(3)] : []) });
    expect(own.of(null, { messages })).toEqual([]);
    expect(own.of({ callId: 'task', name: 'general' }, { messages })).toEqual([PAGE]);
    const undone = new OutsideContext({ recordedOf: () => [compaction(3)], isUndone: () => true });
    expect(undone.of(null, { messages })).toEqual([PAGE]);
    // The state of a model call has all of them.
    expect(own.of(null, { messages, _compactions: [compaction(2)] })).toEqual([PAGE]);
    expect(own.of(null, { messages })).toEqual([PAGE]);
  });

  it('stays with the last request and with pinned messages', () => {
    const attached = (id: string, origin: 'file' | 'resource' | 'paste') =>
      personMessage(
        { id: MessageId.parse(id), attachments: [{ ...ATTACHMENT, name: `${id}.md`, origin }] },
        'go',
      );
    const messages = [
      attached('a', 'file'),
      attached('b', 'file'),
      attached('c', 'file'),
      new AIMessage('Yes.'),
    ];
    const at = { messages, _compactions: [compaction(4)] };
    const named = (id: string) => ({ kind: 'attachment', name: `${id}.md` });
    expect(new OutsideContext().of(null, { messages })).toEqual([named('a'), named('b'), named('c')]);
    expect(new OutsideContext().of(null, at)).toEqual([named('c')]);
    const context = new OutsideContext({ pinned: () => new Set(['a']) });
    expect(context.of(null, at)).toEqual([named('a'), named('c')]);
  });

  it('is an attached file or resource, and not what the person pasted', () => {
    const sources = (origin: Attachment['origin']) => {
      const message = personMessage(
        { id: MessageId.parse('a'), attachments: [{ ...ATTACHMENT, origin }] },
        'go',
      );
      return new OutsideContext().of(null, { messages: [message] });
    };
    expect(sources('file')).toEqual([{ kind: 'attachment', name: 'notes.md' }]);
    expect(sources('resource')).toHaveLength(1);
    expect([...sources('paste'), ...sources('terminal'), ...sources('changes')]).toEqual([]);
  });

  it('is what a command downloaded, unless it had no network', async () => {
    const context = new OutsideContext({ folder: FOLDER });
    const call = { callId: 'a', tool: 'execute', args: { command: 'curl https://a.example/x' } };
    const [online, offline, output] = [result('a'), result('b'), result('c')];
    await context.mark(null, call, online, { messages: [] });
    await context.mark(null, call, offline, { messages: [] }, { offline: true });
    const download = { kind: 'download', name: 'a.example' };
    expect(context.of(null, { messages: [online] })).toEqual([download]);
    expect(context.of(null, { messages: [offline] })).toEqual([]);
    const job = { callId: 'c', tool: 'job_output', args: { job_id: '1' } };
    await context.mark(null, job, output, { messages: [online, ...(await withPage()).messages] });
    expect(context.of(null, { messages: [output] })).toEqual([download]);
  });

  it('is also what the server of an external tool returns', async () => {
    const context = new OutsideContext({ folder: FOLDER });
    const message = result('a');
    await context.mark(null, { callId: 'a', tool: 'docs__search', args: {} }, message, { messages: [] });
    expect(context.of(null, { messages: [message] })).toEqual([{ kind: 'server', name: 'docs' }]);
  });

  it('goes to a sub-agent with its task, and back with its report', async () => {
    const { context, messages } = await withPage();
    const agent = { callId: 't', name: 'general-purpose' };
    const task = { callId: 't', tool: 'task', args: {}, outside: context.of(null, { messages }) };
    context.starts(null, task, { messages });
    expect(context.of(agent, { messages: [] })).toEqual([PAGE]);
    const report = result('t');
    await context.mark(null, { callId: 't', tool: 'task', args: {} }, report, { messages });
    expect(context.of(null, { messages: [report] })).toEqual([PAGE]);
  });

  it('comes back to a sub-agent that reads what was saved before a compaction', async () => {
    const { context, messages } = await withPage();
    const agent = { callId: 't', name: 'general-purpose' };
    const task = { callId: 't', tool: 'task', args: {}, outside: [] };
    context.starts(null, task, { messages });
    expect(context.of(agent, { messages: [] })).toEqual([]);
    const saved = result('b');
    const read = { callId: 'b', tool: 'read_file', args: { file_path: '/archive.md' } };
    await context.mark(agent, read, saved, { messages: [] });
    expect(context.of(agent, { messages: [saved] })).toEqual([PAGE]);
  });
});
