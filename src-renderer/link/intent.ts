import type { RevertScope } from '@contract/changes';
import type { MessageId, ProjectId, RoutineId, TerminalId, ThreadId } from '@contract/ids';
import { optional } from '@contract/shared/optional';

export type SettingsSection =
  | 'models'
  | 'spending'
  | 'usage'
  | 'dataPage'
  | 'instructions'
  | 'mcp'
  | 'hooks'
  | 'places'
  | 'agents'
  | 'routines'
  | 'rules'
  | 'sandbox'
  | 'appearance'
  | 'notifications'
  | 'shortcuts'
  | 'about';

/** Whose activity is shown; null: everything. */
export interface ActivityPlace {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  ruleId: string | null;
}

/** `field`: the one that gets the focus. */
export interface RoutineShown {
  routineId: RoutineId | null;
  field: 'name' | 'budget';
}

/** Requests from features to the frame, so that features need not know each other. */
export type Intent =
  /** `line`: 1-based. */
  | { type: 'openFile'; path: string; line?: number }
  /** The person closed it, so it must not be shown any more. */
  | { type: 'closeFile'; path: string }
  /** Text to insert into the composer. */
  | { type: 'addToMessage'; text: string }
  | { type: 'showTerminal'; terminalId: TerminalId }
  | { type: 'openSettings'; section: SettingsSection }
  /** Asks for a folder on another computer, to open it as a project. */
  | { type: 'addRemoteFolder' }
  | { type: 'openThread'; threadId: ThreadId }
  | { type: 'openInbox' }
  /** The form of a routine; null: the page of all. */
  | ({ type: 'openRoutine' } & RoutineShown)
  | { type: 'openWindow'; threadId: ThreadId | null }
  | { type: 'findInThread' }
  | { type: 'openActivity'; place: ActivityPlace }
  /** `shownInPlace`: the place that asks shows what was done. */
  | { type: 'revert'; threadId: ThreadId; scope: RevertScope; shownInPlace?: true }
  /** Changes of a thread after a message. */
  | { type: 'showChanges'; threadId: ThreadId; since: MessageId }
  | {
      type: 'toast';
      message: string;
      /** The message with its whole names. */
      full?: string;
      action?: { label: string; run: () => void };
      undo?: () => void;
      about?: string;
    };

const listeners = new Set<(intent: Intent) => void>();

/** Registers the frame's listener; returns its undo. */
export function onIntent(handle: (intent: Intent) => void): () => void {
  listeners.add(handle);
  return () => listeners.delete(handle);
}

const send = (intent: Intent) => {
  for (const handle of listeners) handle(intent);
};

/** Shows a file by the absolute path that the agent's tools use. */
export const openFile = (path: string, line?: number) =>
  send(line === undefined ? { type: 'openFile', path } : { type: 'openFile', path, line });
/** Closes that file if it is shown. */
export const closeFile = (path: string) => send({ type: 'closeFile', path });
/** Inserts text into the composer. */
export const addToMessage = (text: string) => send({ type: 'addToMessage', text });
/** Shows the terminal dock with this terminal. */
export const showTerminal = (terminalId: TerminalId) => send({ type: 'showTerminal', terminalId });
export const openRoutine = (shown: RoutineShown) => send({ type: 'openRoutine', ...shown });
export const openSettings = (section: SettingsSection) => send({ type: 'openSettings', section });
export const addRemoteFolder = () => send({ type: 'addRemoteFolder' });
/** Shows a thread, at a given message if there is one, and there a text that was searched for. */
export const openThread = (threadId: ThreadId, messageId?: MessageId, text?: string) => {
  jump = messageId === undefined ? undefined : { threadId, messageId };
  hit = messageId === undefined || text === undefined ? undefined : { threadId, messageId, text };
  send({ type: 'openThread', threadId });
};

let hit: { threadId: ThreadId; messageId: MessageId; text: string } | undefined;

/** The text that a search found, with its message; returned once. */
export function takeHit(threadId: ThreadId): { messageId: MessageId; text: string } | undefined {
  if (hit?.threadId !== threadId) return undefined;
  const taken = hit;
  hit = undefined;
  return taken;
}

let jump: { threadId: ThreadId; messageId: MessageId } | undefined;

/** The message that the thread was opened at; returned once. The conversation may mount later than the request. */
export function takeJump(threadId: ThreadId): MessageId | undefined {
  if (jump?.threadId !== threadId) return undefined;
  const { messageId } = jump;
  jump = undefined;
  return messageId;
}
/** Opens the search in the shown thread. */
export const findInThread = () => send({ type: 'findInThread' });
/** Opens another window with that thread (null: with the last shown one). */
export const openWindow = (threadId: ThreadId | null) => send({ type: 'openWindow', threadId });
/** Shows every pending approval. */
export const openInbox = () => send({ type: 'openInbox' });
/** Shows what ran without asking. */
export const openActivity = (place: Partial<ActivityPlace>) =>
  send({ type: 'openActivity', place: { projectId: null, threadId: null, ruleId: null, ...place } });
/** Undoes changes in the folder, or undoes that. */
export const revert = (threadId: ThreadId, scope: RevertScope, how: { shownInPlace?: true } = {}) =>
  send({ type: 'revert', threadId, scope, ...how });
/** Shows what a thread changed after a message. */
export const showChanges = (threadId: ThreadId, since: MessageId) =>
  send({ type: 'showChanges', threadId, since });
/** In `text`, long names of `full` are shortened. */
type Message = string | { text: string; full: string };

const partsOf = (message: Message) =>
  typeof message === 'string' ? { message } : { message: message.text, full: message.full };

/**
 * A short message at the bottom for what has no other place; it disappears after some seconds. It replaces the previous one
 * with the same `about`.
 */
export const toast = (message: Message, action?: { label: string; run: () => void }, about?: string) =>
  send({ type: 'toast', ...partsOf(message), ...optional({ action, about }) });

/** The same with an undo, which stays available in the palette and under its shortcut after the message is gone. */
export const toastUndo = (message: Message, undo: () => void, about?: string) =>
  send({ type: 'toast', ...partsOf(message), undo, ...optional({ about }) });

/** Marks a part of the window that keeps the focus when another thread is shown automatically. */
export const KEEPS_FOCUS = 'data-keeps-focus';
