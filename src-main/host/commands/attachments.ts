import type { Attachment } from '../../contract/attachments';
import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import { PlainText } from '../../terminal/plain-text';
import type { TerminalSessions } from '../../terminal/sessions';
import type { ProjectRegistry } from '../project/projects';
import type { Reverts } from '../project/reverts';
import type { SecretService } from '../project/secrets';
import type { AttachmentStore } from '../threads/attachments';
import type { Turns } from '../turns/turns';
import type { Connection } from '../window/connection';

interface Parts {
  attachments: AttachmentStore;
  turns: Turns;
  projects: ProjectRegistry;
  reverts: Reverts;
  secrets: SecretService;
  terminals: TerminalSessions;
}

type AttachmentCommand = Extract<keyof Handlers<Connection>, `attachments.${string}`>;

/** UTF-16 units of a terminal's output, and of a diff. */
const MAX_OUTPUT = 64_000;
const MAX_DIFF = 400_000;
/** Files whose lines are in a diff; the others are named. */
const MAX_FILES = 100;

/** What the window asks about what is added to messages. */
export function attachmentHandlers(parts: Parts): Pick<Handlers<Connection>, AttachmentCommand> {
  const { attachments, turns, terminals, secrets } = parts;
  const keep = (threadId: ThreadId, text: string, name: string, origin: Attachment['origin']) =>
    attachments.add(threadId, {
      bytes: Buffer.from(secrets.of(threadId).withhold(text)),
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
      if (text === '') return fail('invalid', 'This terminal has not shown anything yet.');
      const [command = ''] = (info?.command ?? '').trim().split('\n');
      return keep(threadId, `${text}\n`, `${command.slice(0, 60).trim() || 'terminal'}.txt`, 'terminal');
    },
    'attachments.changes': async ({ threadId }) => {
      const text = await diffOf(parts, threadId);
      if (!text.ok) return text;
      return text.value === ''
        ? fail('invalid', 'This thread has not changed any file.')
        : keep(threadId, text.value, 'changes.diff', 'changes');
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

/** What a reader saw in the end: the last whole lines that fit. */
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

/** As `git diff` writes it, from before the thread's first change to now; empty where nothing differs. */
async function diffOf(
  { turns, projects, reverts }: Pick<Parts, 'turns' | 'projects' | 'reverts'>,
  threadId: ThreadId,
): Promise<Result<string>> {
  const live = turns.thread(threadId);
  if (!live.ok) return live;
  const project = await projects.present(live.value.state.thread.projectId);
  if (!project.ok) return project;
  const { state } = live.value;
  const listed = await reverts.list(project.value, state);
  if (!listed.ok) return listed;
  const parts: string[] = [];
  let length = 0;
  let left = listed.value.more;
  for (const [index, { path, change }] of listed.value.files.entries()) {
    if (index >= MAX_FILES || length > MAX_DIFF) {
      left += 1;
      continue;
    }
    const file = await reverts.file(project.value, state, path);
    if (!file.ok) continue;
    const from = change === 'added' ? '/dev/null' : `a/${path}`;
    const to = change === 'removed' ? '/dev/null' : `b/${path}`;
    const hunks = file.value.hunks.map(
      ({ oldStart, oldLines, newStart, newLines, lines }) =>
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}`,
    );
    if (file.value.kind !== 'text') hunks.push(`(${NOT_TEXT[file.value.kind]})`);
    if (file.value.cut) hunks.push('(the rest of this change is left out)');
    const part = [`--- ${from}`, `+++ ${to}`, ...hunks].join('\n');
    parts.push(part);
    length += part.length;
  }
  if (left > 0) parts.push(`(${left} more changed files are left out)`);
  return ok(parts.length === 0 ? '' : `${parts.join('\n')}\n`);
}

const NOT_TEXT = {
  binary: 'not a text',
  too_large: 'too large to compare',
  lost: 'its earlier content is not kept',
  link: 'a link',
  same: 'nothing but its permissions',
} as const;

/** Errors: `not_found` where one of them is not kept any more, `invalid` for a message with nothing in it. */
export async function checkMessage(
  store: AttachmentStore,
  threadId: ThreadId,
  text: string,
  attachments: readonly Attachment[],
): Promise<Result<Record<string, never>>> {
  if (text.trim() === '' && attachments.length === 0)
    return fail('invalid', 'There is nothing in this message.');
  for (const { id, name } of attachments) {
    if ((await store.read(threadId, id)) === null)
      return fail('not_found', `“${name}” is no longer kept. Remove it, or attach it again.`);
  }
  return ok({});
}
