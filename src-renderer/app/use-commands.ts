import type { Project } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { useEffect, useMemo } from 'react';
import { focusApproval, tightenMode } from '../features/approvals';
import { takeBack } from '../features/changes';
import { newThread } from '../features/sidebar';
import { useT } from '../i18n';
import { call, onHostEvent, onIntent, toast, useApp } from '../link';
import { type Shortcut, useShortcuts } from './shortcuts';
import {
  addToast,
  followTerminal,
  selectThread,
  showDock,
  showTerminalDock,
  toggleTerminalDock,
  useUi,
} from './ui-store';
import type { useLayout } from './use-width';

interface Commands {
  toggleSidebar(): void;
  showSidebar(): void;
  toggleDock(): void;
  toggleTerminal(): void;
}

/** What the frame does by itself: shortcuts, what features ask of it, and what the main process wants shown. */
export function useCommands(
  project: Project | undefined,
  threadId: ThreadId | null,
  layout: ReturnType<typeof useLayout>,
): Commands {
  const t = useT();
  const platform = useApp((app) => app.platform);
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

  // From the list, not from the thread itself: that changes with every word.
  const status = threads.find(({ id }) => id === threadId)?.status;
  const running = threadId !== null && (status === 'running' || status === 'waiting') ? threadId : undefined;
  const projectId = project?.id;
  const shortcuts = useMemo(
    (): Shortcut[] => [
      { key: 'n', run: () => projectId && void newThread(projectId) },
      { key: 'b', run: commands.toggleSidebar },
      { key: 'b', shift: true, run: commands.toggleDock },
      { key: 'f', shift: true, run: () => searchAll(commands.showSidebar) },
      { key: 'j', run: commands.toggleTerminal },
      { key: 'd', shift: true, run: () => void focusApproval() },
      { key: 'l', shift: true, run: () => project && void tightenMode(project) },
      { key: 'a', shift: true, run: toggleInbox },
      { key: ',', run: () => useUi.setState({ settings: 'models' }) },
      { key: '.', run: () => running && void stop(running) },
    ],
    [commands, project, projectId, running],
  );
  useShortcuts(platform, shortcuts);

  useEffect(() => {
    const show = (threadId: ThreadId) => {
      const found = threads.find((one) => one.id === threadId);
      if (found) selectThread(found.projectId, threadId);
      else useUi.setState({ wantedThreadId: threadId });
    };
    const stopIntents = onIntent((intent) => {
      switch (intent.type) {
        case 'openFile':
          showDock('files', layout !== 'wide');
          useUi.setState({ filePath: intent.path });
          return;
        case 'showTerminal':
          showTerminalDock(intent.terminalId);
          return;
        case 'openSettings':
          useUi.setState({ settings: intent.section });
          return;
        case 'openThread':
          show(intent.threadId);
          return;
        case 'openInbox':
          toggleInbox();
          return;
        case 'openActivity':
          useUi.setState({ activity: intent.place });
          return;
        case 'restoreTo':
          void takeBack(intent.threadId, { kind: 'message', messageId: intent.messageId }, t);
          return;
        case 'toast':
          addToast(intent.message, intent.action);
          return;
        default:
          intent satisfies never;
      }
    });
    const stopShow = onHostEvent('show.thread', (event) => show(event.threadId));
    const stopInbox = onHostEvent('show.inbox', ({ approvalId }) =>
      useUi.setState({ inbox: { approvalId } }),
    );
    return () => {
      stopIntents();
      stopShow();
      stopInbox();
    };
  }, [threads, layout, t]);

  // The terminal mirrors what the agent runs: a command that starts comes up, once.
  useEffect(() => {
    const seen = new Set<string>();
    return onHostEvent('terminal.changed', ({ terminal }) => {
      const isNew = !seen.has(terminal.id);
      seen.add(terminal.id);
      if (
        isNew &&
        terminal.kind === 'agent' &&
        terminal.status === 'running' &&
        terminal.threadId === threadId
      ) {
        followTerminal(terminal.id);
      }
    });
  }, [threadId]);

  return commands;
}

const toggleInbox = () =>
  useUi.setState((ui) => ({ inbox: ui.inbox === null ? { approvalId: null } : null }));

/** Puts the focus into the search over all threads, wherever the sidebar is. */
function searchAll(showSidebar: () => void): void {
  showSidebar();
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLInputElement>('[data-search-all]');
    field?.focus();
    field?.select();
  });
}

async function stop(threadId: ThreadId): Promise<void> {
  const result = await call('thread.stop', { threadId });
  if (!result.ok) toast(result.error.message);
}
