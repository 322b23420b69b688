import type { ApprovalId, ProjectId, TerminalId, ThreadId } from '@contract/ids';
import { optional } from '@contract/shared/optional';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ActivityPlace, SettingsSection } from '../link';
import type { ToastItem } from '../ui';
import { viewKey } from './views';

export type DockTab = 'files' | 'changes' | 'memories' | 'plan';

/** What is shown where. Only view state: nothing here is worth more than a click. */
interface UiState {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  /** To be shown as soon as its summary has come: it was made just now. */
  wantedThreadId: ThreadId | null;
  sidebarOpen: boolean;
  dockOpen: boolean;
  dockTab: DockTab;
  /** It has as much room as can be spared for it. */
  dockWide: boolean;
  terminalOpen: boolean;
  /** The person closed the terminal: it does not come up by itself any more. */
  terminalPutAway: boolean;
  /** Not kept across restarts from here on. */
  terminalId: TerminalId | null;
  filePath: string | null;
  /** 1-based: where the file is shown from. */
  fileLine: number | null;
  /** What the agent reads and edits is opened as it does. */
  followAgent: boolean;
  /** The field that finds files by their names is shown. */
  quickOpen: boolean;
  settings: SettingsSection | null;
  /** The field that finds actions, threads and settings is shown. */
  palette: boolean;
  /** The decisions that wait are shown, this one first. */
  inbox: { approvalId: ApprovalId | null } | null;
  /** What ran without asking is shown. */
  activity: ActivityPlace | null;
  /** The panel that lies over the conversation in a narrow window. */
  drawer: 'sidebar' | 'dock' | null;
  toasts: readonly ToastItem[];
}

export const useUi = create<UiState>()(
  persist(
    (): UiState => ({
      projectId: null,
      threadId: null,
      wantedThreadId: null,
      sidebarOpen: true,
      dockOpen: true,
      dockTab: 'files',
      dockWide: false,
      terminalOpen: false,
      terminalPutAway: false,
      terminalId: null,
      filePath: null,
      fileLine: null,
      followAgent: false,
      quickOpen: false,
      settings: null,
      palette: false,
      inbox: null,
      activity: null,
      drawer: null,
      toasts: [],
    }),
    {
      // Each window has its own.
      name: viewKey(window.name),
      version: 1,
      partialize: ({
        projectId,
        threadId,
        sidebarOpen,
        dockOpen,
        dockTab,
        dockWide,
        terminalOpen,
        terminalPutAway,
      }) => ({
        projectId,
        threadId,
        sidebarOpen,
        dockOpen,
        dockTab,
        dockWide,
        terminalOpen,
        terminalPutAway,
      }),
    },
  ),
);

const set = useUi.setState;

export const selectProject = (projectId: ProjectId, threadId: ThreadId | null) =>
  set((ui) =>
    ui.projectId === projectId && threadId === null ? {} : { projectId, threadId, filePath: null },
  );

/** Shows the thread and its project, and lets a drawer go. */
export const selectThread = (projectId: ProjectId, threadId: ThreadId) =>
  set((ui) => ({
    projectId,
    threadId,
    wantedThreadId: null,
    drawer: null,
    ...(ui.projectId === projectId ? {} : { filePath: null }),
  }));

export const showDock = (tab: DockTab, narrow: boolean) =>
  set(narrow ? { dockTab: tab, drawer: 'dock' } : { dockTab: tab, dockOpen: true });

/** More or less room for the dock, which is shown for it. */
export const toggleRoom = (narrow: boolean) =>
  set((ui) => {
    const isShown = narrow ? ui.drawer === 'dock' : ui.dockOpen;
    if (isShown) return { dockWide: !ui.dockWide };
    return narrow ? { dockWide: true, drawer: 'dock' } : { dockWide: true, dockOpen: true };
  });

export const showTerminalDock = (terminalId: TerminalId | null) =>
  set((ui) => ({ terminalOpen: true, terminalPutAway: false, terminalId: terminalId ?? ui.terminalId }));

/** Shows a command that the agent has started, unless the person put the terminal away. */
export const followTerminal = (terminalId: TerminalId) =>
  set((ui) => (ui.terminalPutAway ? {} : { terminalOpen: true, terminalId }));

export const toggleTerminalDock = () =>
  set((ui) => ({ terminalOpen: !ui.terminalOpen, terminalPutAway: ui.terminalOpen }));

/** Milliseconds a toast stays; one with an action stays longer, for it must be read and reached. */
const TOAST_FOR = 5_000;
const ACTION_FOR = 10_000;
let nextToast = 1;

/** In place of the one that is `about` the same, where there is one. */
export function addToast(message: string, action: ToastItem['action'], about?: string): void {
  const id = nextToast++;
  const toast = { id, message, ...(action ? { action } : {}), ...optional({ about }) };
  set((ui) => ({
    toasts: [...ui.toasts.filter((one) => about === undefined || one.about !== about).slice(-2), toast],
  }));
  setTimeout(() => closeToast(id), action ? ACTION_FOR : TOAST_FOR);
}

export const closeToast = (id: number) =>
  set((ui) => ({ toasts: ui.toasts.filter((toast) => toast.id !== id) }));
