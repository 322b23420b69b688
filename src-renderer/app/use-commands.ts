import type { ThreadSummary } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { useEffect, useMemo, useRef } from 'react';
import { chooseSince, revertChanges } from '../features/changes';
import { type Translate, useErrorWords, useT } from '../i18n';
import { type Intent, onHostEvent, onIntent, toast, useApp } from '../link';
import { hasRoomForTerminal } from './panels';
import {
  addToast,
  addUndo,
  closeOpenFile,
  followTerminal,
  selectProject,
  selectThread,
  showDock,
  showOpenFile,
  showTerminalDock,
  toggleTerminalDock,
  useUi,
} from './ui-store';
import type { Layout } from './use-width';
import { openWindowAt } from './views';

export interface Commands {
  toggleSidebar(): void;
  showSidebar(): void;
  toggleDock(): void;
  toggleTerminal(): void;
}

/** What the frame does without user input: requests from features, and views that the main process wants shown. */
export function useCommands(threadId: ThreadId | null, layout: Layout): Commands {
  const t = useT();
  const errorWords = useErrorWords();
  const threads = useApp((app) => app.threads);

  const commands = useMemo(
    (): Commands => ({
      toggleSidebar: () =>
        useUi.setState((ui) =>
          layout === 'narrow'
            ? { drawer: ui.drawer === 'sidebar' ? null : 'sidebar' }
            : { sidebarOpen: !ui.sidebarOpen },
        ),
      showSidebar: () => useUi.setState(layout === 'narrow' ? { drawer: 'sidebar' } : { sidebarOpen: true }),
      toggleDock: () =>
        useUi.setState((ui) =>
          layout === 'wide' ? { dockOpen: !ui.dockOpen } : { drawer: ui.drawer === 'dock' ? null : 'dock' },
        ),
      toggleTerminal: toggleTerminalDock,
    }),
    [layout],
  );

  // Listens all the time: an effect may send an intent in the same update that changes one of these.
  const latest = useRef({ threads, layout, t, errorWords });
  latest.current = { threads, layout, t, errorWords };
  useEffect(() => {
    const show = (threadId: ThreadId) => {
      const found = latest.current.threads.find((one) => one.id === threadId);
      if (found) selectThread(found.projectId, threadId);
      else useUi.setState({ wantedThreadId: threadId });
    };
    const stopIntents = onIntent((intent) => carryOut(intent, { ...latest.current, show }));
    const stopShow = onHostEvent('show.thread', (event) => show(event.threadId));
    const stopInbox = onHostEvent('show.inbox', ({ approvalId }) =>
      useUi.setState({ inbox: { approvalId } }),
    );
    const stopProject = onHostEvent('show.project', ({ projectId }) => selectProject(projectId, null));
    const stopFailure = onHostEvent('show.failure', ({ error }) =>
      toast(latest.current.errorWords(error).message),
    );
    return () => {
      stopIntents();
      stopShow();
      stopInbox();
      stopProject();
      stopFailure();
    };
  }, []);

  useTerminalFollow(threadId);
  return commands;
}

interface Surroundings {
  threads: readonly ThreadSummary[];
  layout: Layout;
  t: Translate;
  show(threadId: ThreadId): void;
}

/** Does what a feature asks of the frame. */
function carryOut(intent: Intent, { threads, layout, t, show }: Surroundings): void {
  switch (intent.type) {
    case 'openFile':
      showDock('files', layout !== 'wide');
      showOpenFile(intent.path, intent.line ?? null);
      return;
    case 'closeFile':
      closeOpenFile(intent.path);
      return;
    case 'addToMessage':
      // The composer listens for it itself.
      return;
    case 'showTerminal':
      showTerminalDock(intent.terminalId);
      return;
    case 'openSettings':
      useUi.setState({ settings: intent.section });
      return;
    case 'addRemoteFolder':
      useUi.setState({ remoteFolder: true });
      return;
    case 'openThread':
      show(intent.threadId);
      return;
    case 'openRoutine':
      useUi.setState({ routines: { routineId: intent.routineId, field: intent.field } });
      return;
    case 'openInbox':
      toggleInbox();
      return;
    case 'openWindow': {
      const { projectId, threadId: here } = useUi.getState();
      const found = threads.find(({ id }) => id === intent.threadId);
      void openWindowAt(
        found ? { projectId: found.projectId, threadId: found.id } : { projectId, threadId: here },
      );
      return;
    }
    case 'findInThread':
      // The conversation listens for it itself.
      return;
    case 'openActivity':
      useUi.setState({ activity: intent.place });
      return;
    case 'revert':
      void revertChanges(intent.threadId, intent.scope, t, { shownInPlace: intent.shownInPlace });
      return;
    case 'showChanges':
      showDock('changes', layout !== 'wide');
      chooseSince(intent.threadId, intent.since);
      return;
    case 'toast':
      if (intent.undo)
        addUndo(intent.message, { label: t('app.undo'), run: intent.undo }, intent.about, intent.full);
      else addToast(intent.message, intent.action, intent.about, intent.full);
      return;
    default:
      intent satisfies never;
  }
}

/** The terminal mirrors the agent's commands: it opens once when a command starts. */
function useTerminalFollow(threadId: ThreadId | null): void {
  useEffect(() => {
    const seen = new Set<string>();
    return onHostEvent('terminal.changed', ({ terminal }) => {
      const isNew = !seen.has(terminal.id);
      seen.add(terminal.id);
      if (
        isNew &&
        terminal.kind === 'agent' &&
        terminal.status === 'running' &&
        terminal.threadId === threadId &&
        // Never takes the focus from somebody who types in a terminal.
        !document.activeElement?.closest('.xterm')
      ) {
        followTerminal(terminal.id, hasRoomForTerminal());
      }
    });
  }, [threadId]);
}

const toggleInbox = () =>
  useUi.setState((ui) => ({ inbox: ui.inbox === null ? { approvalId: null } : null }));
