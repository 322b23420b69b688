import type { ApprovalId, ProjectId, TerminalId, ThreadId } from '@contract/ids';
import { optional } from '@contract/shared/optional';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ActivityPlace, RoutineShown, SettingsSection } from '../link';
import type { ToastItem } from '../ui';
import { viewKey } from './views';

export type DockTab = 'files' | 'changes' | 'memories' | 'plan';

/** View state only: losing any of it costs no more than a click. */
interface UiState {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  /** To be shown as soon as its summary arrives, because it was just created. */
  wantedThreadId: ThreadId | null;
  sidebarOpen: boolean;
  dockOpen: boolean;
  dockTab: DockTab;
  /** `auto`: the dock takes all the space that can be spared while a file is open. */
  dockWidth: 'auto' | 'wide' | 'narrow';
  terminalOpen: boolean;
  /** The person closed the terminal, so it no longer opens automatically. */
  terminalPutAway: boolean;
  /** The fields from here on are not kept across restarts. */
  terminalId: TerminalId | null;
  filePath: string | null;
  /** The files with a tab, in the order of the tabs. */
  openFiles: readonly string[];
  /** The line (0-based) that the file is shown from. A new object goes there again. */
  fileGoTo: { line: number } | null;
  /** Opens the files that the agent reads and edits. */
  followAgent: boolean;
  /** The file finder is open. */
  quickOpen: boolean;
  settings: SettingsSection | null;
  /** The dialog for a folder on another computer is open. */
  remoteFolder: boolean;
  /** The palette for actions, threads and settings is open. */
  palette: boolean;
  /** The inbox of pending approvals is open, with this one first. */
  inbox: { approvalId: ApprovalId | null } | null;
  /** The list of what ran without asking is open. */
  activity: ActivityPlace | null;
  /** The page of the routines is open, with the form of this one. */
  routines: RoutineShown | null;
  /** The panel over the conversation in a narrow window. */
  drawer: 'sidebar' | 'dock' | null;
  toasts: readonly ToastItem[];
  /** The latest changes that offered an undo, newest last. An offer outlives its message. */
  undos: readonly UndoOffered[];
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
      dockWidth: 'auto',
      terminalOpen: false,
      terminalPutAway: false,
      terminalId: null,
      filePath: null,
      openFiles: [],
      fileGoTo: null,
      followAgent: false,
      quickOpen: false,
      settings: null,
      remoteFolder: false,
      palette: false,
      inbox: null,
      activity: null,
      routines: null,
      drawer: null,
      toasts: [],
      undos: [],
    }),
    {
      // Each window has its own state.
      name: viewKey(window.name),
      version: 1,
      partialize: ({
        projectId,
        threadId,
        sidebarOpen,
        dockOpen,
        dockTab,
        dockWidth,
        terminalOpen,
        terminalPutAway,
      }) => ({
        projectId,
        threadId,
        sidebarOpen,
        dockOpen,
        dockTab,
        dockWidth,
        terminalOpen,
        terminalPutAway,
      }),
    },
  ),
);

const set = useUi.setState;

const NO_FILES = { filePath: null, openFiles: [] };
/** With more files, the one to the left that is not shown loses its tab. Unsaved text is kept anyway. */
const MAX_FILES = 12;

/** Shows a file in its tab. `line`: 1-based. */
export const showOpenFile = (path: string, line: number | null = null) =>
  set(({ openFiles }) => ({
    filePath: path,
    fileGoTo: line === null ? null : { line: line - 1 },
    openFiles: openFiles.includes(path) ? openFiles : [...openFiles, path].slice(-MAX_FILES),
  }));

/** Closes a file. If it is shown, its neighbor takes its place. */
export const closeOpenFile = (path: string) =>
  set(({ openFiles, filePath }) => {
    const at = openFiles.indexOf(path);
    const rest = openFiles.filter((one) => one !== path);
    if (filePath !== path) return { openFiles: rest };
    return { openFiles: rest, filePath: rest[Math.min(at, rest.length - 1)] ?? null, fileGoTo: null };
  });

/** Keeps the tabs of a file that was moved, or of the files in a folder that was. */
export const moveOpenFiles = (from: string, to: string) =>
  set(({ openFiles, filePath }) => {
    const moved = (path: string) =>
      path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
    return {
      openFiles: [...new Set(openFiles.map(moved))],
      filePath: filePath === null ? null : moved(filePath),
    };
  });

export const selectProject = (projectId: ProjectId, threadId: ThreadId | null) =>
  set((ui) => (ui.projectId === projectId && threadId === null ? {} : { projectId, threadId, ...NO_FILES }));

/** Shows the thread and its project, and closes a drawer. */
export const selectThread = (projectId: ProjectId, threadId: ThreadId) =>
  set((ui) => ({
    projectId,
    threadId,
    wantedThreadId: null,
    drawer: null,
    ...(ui.projectId === projectId ? {} : NO_FILES),
  }));

export const showDock = (tab: DockTab, narrow: boolean) =>
  set(narrow ? { dockTab: tab, drawer: 'dock' } : { dockTab: tab, dockOpen: true });

export const isDockWide = ({ dockWidth, filePath }: Pick<UiState, 'dockWidth' | 'filePath'>): boolean =>
  dockWidth === 'auto' ? filePath !== null : dockWidth === 'wide';

/** Widens or narrows the dock. A change that opening a file causes is not saved as the person's choice. */
export const toggleDockWidth = () =>
  set((ui) => {
    const isOpen = ui.filePath !== null;
    if (isDockWide(ui)) return { dockWidth: isOpen ? 'narrow' : 'auto' };
    return { dockWidth: isOpen ? 'auto' : 'wide' };
  });

/** Toggles the wide dock, and opens it if it is closed. */
export const toggleRoom = (narrow: boolean) => {
  const ui = useUi.getState();
  const isShown = narrow ? ui.drawer === 'dock' : ui.dockOpen;
  if (!isShown) set(narrow ? { drawer: 'dock' } : { dockOpen: true });
  if (isShown || !isDockWide(ui)) toggleDockWidth();
};

export const showTerminalDock = (terminalId: TerminalId | null) =>
  set((ui) => ({ terminalOpen: true, terminalPutAway: false, terminalId: terminalId ?? ui.terminalId }));

/** Shows a command that the agent has started, unless the person closed the terminal, or it would cover what waits for them. */
export const followTerminal = (terminalId: TerminalId, hasRoom: boolean) =>
  set((ui) => {
    if (ui.terminalPutAway) return {};
    return { terminalOpen: ui.terminalOpen || hasRoom, terminalId };
  });

export const toggleTerminalDock = () =>
  set((ui) => ({ terminalOpen: !ui.terminalOpen, terminalPutAway: ui.terminalOpen }));

/** Milliseconds a toast stays at least. One with an action stays longer, so that you can reach it. */
const TOAST_FOR = 5_000;
const ACTION_FOR = 10_000;
/** Milliseconds to notice a toast, and to read each character of it, up to a limit. A Chinese one is half a word. */
const NOTICE = 2_000;
const READ = 70;
const READ_HAN = 200;
const LONGEST = 20_000;
/** Milliseconds until a toast that is pointed at or has the focus is checked again. */
const RECHECK = 1_000;
let nextToast = 1;

function readingTime(message: string): number {
  const han = message.match(/\p{Script=Han}/gu)?.length ?? 0;
  return Math.min(LONGEST, NOTICE + READ * (message.length - han) + READ_HAN * han);
}

/** Closes a toast after a while. None goes while the pointer or the focus is on one: the others would move under it. */
function closeLater(id: number, after: number): void {
  clearTimeout(toastTimers.get(id));
  const close = () => {
    const toasts = document.querySelector('[data-toasts]');
    const isUsed = toasts?.matches(':hover') === true || toasts?.contains(document.activeElement) === true;
    if (isUsed) closeLater(id, RECHECK);
    else closeToast(id);
  };
  toastTimers.set(id, setTimeout(close, after));
}

const toastTimers = new Map<number, ReturnType<typeof setTimeout>>();

/** Changes the toast with the same `about`, if there is one. Returns its id. */
export function addToast(
  message: string,
  action: ToastItem['action'],
  about?: string,
  full?: string,
): number {
  const { toasts } = useUi.getState();
  const same = toasts.find((one) => about !== undefined && one.about === about);
  // In its place, so that a click on its button is not lost.
  const id = same?.id ?? nextToast++;
  const toast = { id, message, ...(action ? { action } : {}), ...optional({ about, full }) };
  set({
    toasts: same ? toasts.map((one) => (one === same ? toast : one)) : [...toasts.slice(-2), toast],
  });
  closeLater(id, Math.max(action ? ACTION_FOR : TOAST_FOR, readingTime(message)));
  return id;
}

type ToastAction = NonNullable<ToastItem['action']>;

/** A change that can be undone. An offer with the same `about` replaces an earlier one. */
interface UndoOffered {
  /** Of its toast. */
  id: number;
  message: string;
  run: () => void;
  about?: string;
}

/** Offers that are kept. */
const MAX_UNDOS = 20;

/** Says what was changed, with an undo that stays available after the message is gone. */
export function addUndo(message: string, { label, run }: ToastAction, about?: string, full?: string): void {
  const id: number = addToast(message, { label, run: () => undo(id) }, about, full);
  const offer = { id, message, run, ...optional({ about }) };
  set(({ undos }) => ({
    undos: [...undos.filter((one) => about === undefined || one.about !== about), offer].slice(-MAX_UNDOS),
  }));
}

function undo(id: number): void {
  const offer = useUi.getState().undos.find((one) => one.id === id);
  set(({ undos }) => ({ undos: undos.filter((one) => one.id !== id) }));
  closeToast(id);
  offer?.run();
}

/** Undoes the newest change that offered it. */
export function undoLast(): void {
  const newest = useUi.getState().undos.at(-1);
  if (newest !== undefined) undo(newest.id);
}

export function closeToast(id: number): void {
  clearTimeout(toastTimers.get(id));
  toastTimers.delete(id);
  set((ui) => ({ toasts: ui.toasts.filter((toast) => toast.id !== id) }));
}

/** The page of all routines. */
export const ALL_ROUTINES: RoutineShown = { routineId: null, field: 'name' };
