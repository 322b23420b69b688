import type { MessageId, ProjectId, TerminalId, ThreadId } from '@contract/ids';
import { optional } from '@contract/shared/optional';

export type SettingsSection =
  | 'models'
  | 'spending'
  | 'usage'
  | 'dataPage'
  | 'instructions'
  | 'mcp'
  | 'rules'
  | 'sandbox'
  | 'appearance'
  | 'shortcuts'
  | 'about';

/** Of what the activity is shown; null: of all. */
export interface ActivityPlace {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  ruleId: string | null;
}

/** What a feature asks of the frame, so that features need not know each other. */
export type Intent =
  /** `line`: 1-based. */
  | { type: 'openFile'; path: string; line?: number }
  /** It is not to be shown any more: the person put it away. */
  | { type: 'closeFile'; path: string }
  /** Words for the message that is being written. */
  | { type: 'addToChat'; text: string }
  | { type: 'showTerminal'; terminalId: TerminalId }
  | { type: 'openSettings'; section: SettingsSection }
  | { type: 'openThread'; threadId: ThreadId }
  | { type: 'openInbox' }
  | { type: 'openWindow'; threadId: ThreadId | null }
  | { type: 'findInThread' }
  | { type: 'openActivity'; place: ActivityPlace }
  | { type: 'restoreTo'; threadId: ThreadId; messageId: MessageId }
  | { type: 'toast'; message: string; action?: { label: string; run: () => void }; about?: string };

const listeners = new Set<(intent: Intent) => void>();

/** The frame listens; returns the undo. */
export function onIntent(handle: (intent: Intent) => void): () => void {
  listeners.add(handle);
  return () => listeners.delete(handle);
}

const send = (intent: Intent) => {
  for (const handle of listeners) handle(intent);
};

/** Shows a file, by the absolute path that the agent's tools name it by. */
export const openFile = (path: string, line?: number) =>
  send(line === undefined ? { type: 'openFile', path } : { type: 'openFile', path, line });
/** Shows that file no more, where it is shown. */
export const closeFile = (path: string) => send({ type: 'closeFile', path });
/** Puts words into the message that is being written. */
export const addToChat = (text: string) => send({ type: 'addToChat', text });
/** Shows the terminal dock with this terminal. */
export const showTerminal = (terminalId: TerminalId) => send({ type: 'showTerminal', terminalId });
export const openSettings = (section: SettingsSection) => send({ type: 'openSettings', section });
/** Shows a thread, at a message where one is named. */
export const openThread = (threadId: ThreadId, messageId?: MessageId) => {
  jump = messageId === undefined ? undefined : { threadId, messageId };
  send({ type: 'openThread', threadId });
};

let jump: { threadId: ThreadId; messageId: MessageId } | undefined;

/** The message that the thread was opened at, once: its conversation may come up later than the wish. */
export function takeJump(threadId: ThreadId): MessageId | undefined {
  if (jump?.threadId !== threadId) return undefined;
  const { messageId } = jump;
  jump = undefined;
  return messageId;
}
/** Opens the search in the thread that is shown. */
export const findInThread = () => send({ type: 'findInThread' });
/** Opens another window, with that thread (null: with the one that is shown last). */
export const openWindow = (threadId: ThreadId | null) => send({ type: 'openWindow', threadId });
/** Shows every decision that waits. */
export const openInbox = () => send({ type: 'openInbox' });
/** Shows what ran without being asked about. */
export const openActivity = (place: Partial<ActivityPlace>) =>
  send({ type: 'openActivity', place: { projectId: null, threadId: null, ruleId: null, ...place } });
/** Takes back what calls changed in the folder after a message. */
export const restoreTo = (threadId: ThreadId, messageId: MessageId) =>
  send({ type: 'restoreTo', threadId, messageId });
/**
 * A short message at the bottom for what has no place of its own; gone after some seconds. It takes the place of the one
 * before it that is `about` the same.
 */
export const toast = (message: string, action?: { label: string; run: () => void }, about?: string) =>
  send({
    type: 'toast',
    message,
    ...optional({ action, about }),
  });

/** Attribute of a part of the window that keeps the focus when another thread comes up by itself. */
export const KEEPS_FOCUS = 'data-keeps-focus';
