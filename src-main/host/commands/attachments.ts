import type { Attachment } from '../../contract/attachments';
import type { ThreadId } from '../../contract/ids';
import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { McpServers } from '../../mcp/servers';
import { PlainText } from '../../terminal/output/plain-text';
import type { TerminalSessions } from '../../terminal/sessions';
import type { SecretService } from '../project/access/secrets';
import type { Reverts } from '../project/changes/reverts';
import { diffOf } from '../project/changes/thread-diff';
import type { ProjectRegistry } from '../project/projects';
import type { AttachmentStore } from '../threads/attachments';
import type { OpenThreads } from '../threads/live-threads';
import type { Connection } from '../window/connection';

interface Parts {
  attachments: AttachmentStore;
  turns: OpenThreads;
  projects: ProjectRegistry;
  reverts: Reverts;
  secrets: SecretService;
  mcp: McpServers;
  terminals: TerminalSessions;
}

/** UTF-16 units of a terminal's output. */
const MAX_OUTPUT = 64_000;

export function attachmentsHandlers(parts: Parts): HandlersOf<'attachments', Connection> {
  const { attachments, turns, terminals, secrets, projects, mcp } = parts;
  const keep = (threadId: ThreadId, text: string, name: string, origin: Attachment['origin']) =>
    attachments.add(threadId, {
      bytes: Buffer.from(secrets.of(threadId).redact(text)),
      name,
      origin,
    });

  return {
    'attachments.add': async ({ threadId, origin, name, data }) => {
      const live = turns.thread(threadId);
      return live.ok ? attachments.add(threadId, { bytes: Buffer.from(data, 'base64'), name, origin }) : live;
    },
    'attachments.terminal': async ({ threadId, terminalId }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const info = terminals.list().find(({ id }) => id === terminalId);
      const recorded = terminals.recorded(terminalId);
      if (!recorded.ok) return recorded;
      const text = outputOf(recorded.value.data);
      if (text === '') return fail('invalid', 'terminal_without_output');
      const [command = ''] = (info?.command ?? '').trim().split('\n');
      return keep(threadId, `${text}\n`, `${command.slice(0, 60).trim() || 'terminal'}.txt`, 'terminal');
    },
    'attachments.changes': async ({ threadId }, _connection, signal) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const text = await diffOf(parts, live.value.state, signal);
      if (!text.ok) return text;
      return text.value === ''
        ? fail('invalid', 'thread_without_changes')
        : keep(threadId, text.value, 'changes.diff', 'changes');
    },
    'attachments.resource': async ({ threadId, serverId, uri }, _connection, signal) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const project = await projects.present(live.value.state.thread.projectId);
      if (!project.ok) return project;
      const read = await mcp.resource(project.value, { id: serverId, uri }, signal);
      if (!read.ok) return read;
      const { name, bytes, isText } = read.value;
      return isText
        ? keep(threadId, bytes.toString('utf8'), name, 'resource')
        : attachments.add(threadId, { bytes, name, origin: 'resource' });
    },
    'attachments.text': ({ threadId, id }) => attachments.text(threadId, id),
    'attachments.remove': async ({ threadId, id }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const { messages, queue } = live.value.state;
      const has = (one: { attachments?: readonly Attachment[] | undefined }) =>
        one.attachments?.some((attachment) => attachment.id === id) === true;
      if (!queue.some(has) && !messages.some((one) => one.role === 'user' && has(one)))
        await attachments.remove(threadId, id);
      return ok({});
    },
  };
}

/** The output as a reader saw it in the end: the last whole lines that fit. */
function outputOf(data: string): string {
  let text = '';
  const plain = new PlainText((part) => {
    text += part;
  });
  plain.push(data);
  const whole = (text + plain.current).trim();
  if (whole.length <= MAX_OUTPUT) return whole;
  const tail = whole.slice(-MAX_OUTPUT);
  return `[The last ${MAX_OUTPUT} of ${whole.length} characters]\n${tail.slice(tail.indexOf('\n') + 1)}`;
}
