import type { Project, Settings, ThreadSummary } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { optional } from '@contract/shared/optional';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import {
  type ActionId,
  actionWith,
  isAction,
  keysOfAction,
  menuModel,
  type Platform,
  pressed,
  type Runs,
  shown,
} from '../features/actions';
import { focusApproval, tightenMode } from '../features/approvals';
import {
  addFolder,
  deleteThreads,
  duplicateThread,
  exportThread,
  groupThreads,
  importThread,
  markThreads,
  revealProject,
} from '../features/sidebar';
import { type Translate, useT } from '../i18n';
import { addRemoteFolder, call, findInThread, onHostEvent, openWindow, toast, useApp } from '../link';
import { selectField } from '../ui';
import { beginThread } from './begin-thread';
import { goToPart } from './parts';
import {
  ALL_ROUTINES,
  isDockWide,
  selectProject,
  selectThread,
  showDock,
  toggleRoom,
  undoLast,
  useUi,
} from './ui-store';
import type { Commands } from './use-commands';
import type { Layout } from './use-width';

const NO_KEYS = {};
/** The step of the text size in percent, and its limits. */
const STEP = 10;
const SMALLEST = 75;
const LARGEST = 200;

/** The keyboard shortcut of an action, written as the system writes it. */
export function useKeys(): (id: ActionId) => string | undefined {
  const platform = useApp((app) => app.platform);
  const chosen = useApp((app) => app.settings.shortcuts ?? NO_KEYS);
  return useCallback(
    (id) => {
      const keys = keysOfAction(id, chosen);
      return keys === null ? undefined : shown(platform, keys);
    },
    [platform, chosen],
  );
}

/** What the window shows. */
interface Shown {
  project: Project | undefined;
  threadId: ThreadId | null;
  threads: readonly ThreadSummary[];
  narrow: boolean;
  t: Translate;
}

function ofProject({ project, threadId }: Shown) {
  const isPresent = project !== undefined && !project.missing;
  return {
    newThread: { when: isPresent, run: () => project && void beginThread(project.id, threadId) },
    importThread: { when: isPresent, run: () => project && void importThread(project.id) },
    revealProject: {
      when: isPresent && project.remote === undefined,
      run: () => project && void revealProject(project),
    },
    tightenMode: { when: isPresent, run: () => project && void tightenMode(project) },
    quickOpen: { when: isPresent, run: () => useUi.setState({ quickOpen: true }) },
  };
}

function ofThread({ threads, threadId, t }: Shown) {
  const thread = threads.find(({ id }) => id === threadId);
  const when = thread !== undefined;
  const exported = (format: 'markdown' | 'html' | 'json') => ({
    when,
    run: () => thread && void exportThread(thread.id, format, t),
  });
  const isActive = thread?.status === 'running' || thread?.status === 'waiting';
  return {
    exportMarkdown: exported('markdown'),
    exportHtml: exported('html'),
    exportJson: exported('json'),
    stop: { when: isActive, run: () => thread && void stop(thread.id) },
    focusApproval: { when: when && thread.waiting > 0, run: () => void focusApproval() },
    focusComposer: { when, run: () => goToPart('conversation') },
    findInThread: { when, run: findInThread },
    pinThread: {
      when,
      checked: thread?.pinned === true,
      run: () => thread && void markThreads([thread], { pinned: thread.pinned !== true }, t),
    },
    archiveThread: {
      when,
      checked: thread?.archived === true,
      run: () => thread && void markThreads([thread], { archived: thread.archived !== true }, t),
    },
    duplicateThread: { when, run: () => thread && void duplicateThread(thread) },
    deleteThread: { when, run: () => thread && void deleteThreads([thread], t) },
  };
}

/** The threads before and after this one in the sidebar. */
function ofNeighbors({ project, threads, threadId }: Shown) {
  const own = (project && groupThreads([project], threads, '')[0]?.threads) ?? [];
  const at = own.findIndex(({ id }) => id === threadId);
  const toThread = (index: number) => ({
    when: own[index] !== undefined && index !== at,
    run: () => own[index] && selectThread(own[index].projectId, own[index].id),
  });
  return { previousThread: toThread(at - 1), nextThread: toThread(at + 1) };
}

function ofLayout(
  { project, narrow }: Shown,
  commands: Commands,
  open: { sidebar: boolean; dock: boolean; terminal: boolean; wide: boolean },
) {
  const when = project !== undefined;
  const show = (tab: Parameters<typeof showDock>[0]) => ({ when, run: () => showDock(tab, narrow) });
  return {
    toggleSidebar: { when: true, checked: open.sidebar, run: commands.toggleSidebar },
    toggleDock: { when, checked: open.dock, run: commands.toggleDock },
    widenDock: { when, checked: open.wide, run: () => toggleRoom(narrow) },
    toggleTerminal: { when, checked: open.terminal, run: commands.toggleTerminal },
    showFiles: show('files'),
    showChanges: show('changes'),
    showMemories: show('memories'),
    showPlan: show('plan'),
    nextPart: { when: true, run: () => goToPart('next') },
    previousPart: { when: true, run: () => goToPart('previous') },
  };
}

function ofTextSize(fontSize: number) {
  const size = (to: number) => ({
    when: to !== fontSize && to >= SMALLEST && to <= LARGEST,
    run: () => void change({ fontSize: to }),
  });
  return { larger: size(fontSize + STEP), smaller: size(fontSize - STEP), usualSize: size(100) };
}

/** The newest change of this window that offered an undo. */
const ofUndos = (newest: { message: string } | undefined) => ({
  undoLast: { when: newest !== undefined, run: undoLast, ...optional({ about: newest?.message }) },
});

/** What does not depend on what is shown. */
function ofWindow(commands: Commands) {
  const always = (run: () => void) => ({ when: true, run });
  return {
    addFolder: always(() => void addFolder().then((added) => added && selectProject(added.id, null))),
    addRemoteFolder: always(addRemoteFolder),
    settings: always(() => useUi.setState({ settings: 'models' })),
    otherTheme: always(
      () => void change({ theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark' }),
    ),
    newWindow: always(() => openWindow(null)),
    palette: always(() => useUi.setState((ui) => ({ palette: !ui.palette }))),
    searchThreads: always(() => searchAll(commands.showSidebar)),
    inbox: always(() => useUi.setState((ui) => ({ inbox: ui.inbox === null ? { approvalId: null } : null }))),
    activity: always(() =>
      useUi.setState((ui) => ({
        activity: ui.activity === null ? { projectId: null, threadId: null, ruleId: null } : null,
      })),
    ),
    routines: always(() =>
      useUi.setState((ui) => ({ routines: ui.routines === null ? ALL_ROUTINES : null })),
    ),
    shortcuts: always(() => useUi.setState({ settings: 'shortcuts' })),
    about: always(() => useUi.setState({ settings: 'about' })),
  };
}

/** What every action of the registry does in this window now. Listens to shortcuts and menus. */
export function useActions(
  project: Project | undefined,
  threadId: ThreadId | null,
  layout: Layout,
  commands: Commands,
): Runs {
  const t = useT();
  const threads = useApp((app) => app.threads);
  const fontSize = useApp((app) => app.settings.fontSize ?? 100);
  const sidebar = useUi((ui) => ui.sidebarOpen);
  const dock = useUi((ui) => ui.dockOpen);
  const terminal = useUi((ui) => ui.terminalOpen);
  const wide = useUi(isDockWide);
  const newestUndo = useUi((ui) => ui.undos.at(-1));

  const runs = useMemo((): Runs => {
    const shown = { project, threadId, threads, narrow: layout !== 'wide', t };
    return {
      ...ofProject(shown),
      ...ofThread(shown),
      ...ofNeighbors(shown),
      ...ofLayout(shown, commands, { sidebar, dock, terminal, wide }),
      ...ofTextSize(fontSize),
      ...ofUndos(newestUndo),
      ...ofWindow(commands),
    };
  }, [threads, project, threadId, layout, commands, fontSize, sidebar, dock, terminal, wide, newestUndo, t]);

  const latest = useRef(runs);
  latest.current = runs;
  useKeyListener(latest);
  useRunAction(latest);
  useMenus(runs);
  return runs;
}

/** Viewers and terminals that handle the same keys themselves. */
const OWN_FIND = '[data-own-find], .cm-editor, .xterm, [role="dialog"][aria-modal="true"]';

/** The shortcut that allows on an approval card. Elsewhere it only moves the focus to the card and decides nothing. */
const ALLOW = 'mod+enter';
/** Undoes the last action, except where it undoes typing. */
const UNDO = 'mod+z';
const OWN_UNDO = '[contenteditable="true"], input, textarea, .xterm, [role="dialog"][aria-modal="true"]';
/** Shortcuts that cannot be changed. */
const MEANT: Partial<Record<string, ActionId>> = { [ALLOW]: 'focusApproval', [UNDO]: 'undoLast' };
/** Places where that shortcut has another meaning. */
const OWN_ALLOW =
  '[data-approval], [role="dialog"], [contenteditable="true"], input, textarea:not(:placeholder-shown)';

/** Whether the focused element handles the keys rather than the window. */
function belongsTo(place: Element, keys: string, id: ActionId, platform: Platform): boolean {
  if (place.closest('[data-captures-keys]')) return true;
  // A program in a terminal needs its Ctrl keys; F6 leaves the terminal.
  if (platform !== 'darwin' && place.closest('.xterm') && !keys.endsWith('f6')) return true;
  if (keys === ALLOW) return place.closest(OWN_ALLOW) !== null;
  if (keys === UNDO) return place.closest(OWN_UNDO) !== null;
  return id === 'findInThread' && place.closest(OWN_FIND) !== null;
}

function useKeyListener(latest: { readonly current: Runs }): void {
  const platform = useApp((app) => app.platform);
  const chosen = useApp((app) => app.settings.shortcuts ?? NO_KEYS);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const keys = pressed(event, platform);
      const id = keys === null ? undefined : (MEANT[keys] ?? actionWith(keys, chosen));
      if (keys === null || id === undefined) return;
      if (event.target instanceof Element && belongsTo(event.target, keys, id, platform)) return;
      event.preventDefault();
      // The list of threads may not have counted yet what already waits here.
      if (keys === ALLOW || latest.current[id].when) latest.current[id].run();
    };
    // A terminal takes F6 for its program before the window could handle it.
    const onTerminalKey = (event: KeyboardEvent) => {
      if (!(event.target instanceof Element) || !event.target.closest('.xterm')) return;
      if (!pressed(event, platform)?.endsWith('f6')) return;
      onKeyDown(event);
      if (event.defaultPrevented) event.stopPropagation();
    };
    window.addEventListener('keydown', onTerminalKey, true);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onTerminalKey, true);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [platform, chosen, latest]);
}

/** Actions that the menu bar or another window asks for. */
function useRunAction(latest: { readonly current: Runs }): void {
  useEffect(
    () =>
      onHostEvent('run.action', ({ id }) => {
        if (isAction(id) && latest.current[id].when) latest.current[id].run();
      }),
    [latest],
  );
}

/** Sends the menu state to the main process whenever it changes and when this window comes to the front. */
function useMenus(runs: Runs): void {
  const t = useT();
  const platform = useApp((app) => app.platform);
  const chosen = useApp((app) => app.settings.shortcuts ?? NO_KEYS);
  const tray = useApp((app) => app.settings.tray !== false);
  const waiting = useApp((app) => app.threads.reduce((sum, thread) => sum + thread.waiting, 0));
  // As text, so that an unchanged state is not sent again.
  const text = useMemo(
    () => JSON.stringify(menuModel({ platform, t, runs, chosen, tray, waiting })),
    [platform, t, runs, chosen, tray, waiting],
  );
  useEffect(() => {
    const send = () => void call('menu.set', JSON.parse(text));
    send();
    window.addEventListener('focus', send);
    return () => window.removeEventListener('focus', send);
  }, [text]);
}

async function change(settings: Partial<Settings>): Promise<void> {
  const result = await call('settings.change', settings);
  if (!result.ok) toast(result.error.message);
}

/** Moves the focus to the search over all threads, wherever the sidebar is. */
function searchAll(showSidebar: () => void): void {
  const field = () => document.querySelector<HTMLInputElement>('[data-search-all]');
  // Immediately: the next key belongs to the field, even if no frame was drawn before it.
  flushSync(showSidebar);
  selectField(field());
  // A drawer moves the focus when it opens.
  requestAnimationFrame(() => {
    if (document.activeElement !== field()) selectField(field());
  });
}

async function stop(threadId: ThreadId): Promise<void> {
  const result = await call('thread.stop', { threadId });
  if (!result.ok) toast(result.error.message);
}
