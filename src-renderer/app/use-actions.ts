import type { Project, Settings } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { useCallback, useEffect, useMemo, useRef } from 'react';
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
import { useT } from '../i18n';
import { addRemoteFolder, call, findInThread, onHostEvent, openWindow, toast, useApp } from '../link';
import { beginThread } from './begin-thread';
import { goToPart } from './parts';
import { selectProject, selectThread, showDock, toggleRoom, useUi } from './ui-store';
import type { Commands } from './use-commands';
import type { useLayout } from './use-width';

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

/** What every action of the registry does in this window now. Listens to shortcuts and menus. */
export function useActions(
  project: Project | undefined,
  threadId: ThreadId | null,
  layout: ReturnType<typeof useLayout>,
  commands: Commands,
): Runs {
  const t = useT();
  const threads = useApp((app) => app.threads);
  const fontSize = useApp((app) => app.settings.fontSize ?? 100);
  const sidebar = useUi((ui) => ui.sidebarOpen);
  const dock = useUi((ui) => ui.dockOpen);
  const terminal = useUi((ui) => ui.terminalOpen);
  const wide = useUi((ui) => ui.dockWide);

  const runs = useMemo((): Runs => {
    const thread = threads.find(({ id }) => id === threadId);
    const own = (project && groupThreads([project], threads, '')[0]?.threads) ?? [];
    const at = own.findIndex(({ id }) => id === threadId);
    const isPresent = project !== undefined && !project.missing;
    const narrow = layout !== 'wide';
    const show = (tab: Parameters<typeof showDock>[0]) => ({
      when: project !== undefined,
      run: () => showDock(tab, narrow),
    });
    const toThread = (index: number) => ({
      when: own[index] !== undefined && index !== at,
      run: () => own[index] && selectThread(own[index].projectId, own[index].id),
    });
    const size = (to: number) => ({
      when: to !== fontSize && to >= SMALLEST && to <= LARGEST,
      run: () => void change({ fontSize: to }),
    });
    const exported = (format: 'markdown' | 'html' | 'json') => ({
      when: thread !== undefined,
      run: () => thread && void exportThread(thread.id, format, t),
    });
    const isActive = thread?.status === 'running' || thread?.status === 'waiting';
    return {
      newThread: { when: isPresent, run: () => project && beginThread(project.id, threadId) },
      addFolder: {
        when: true,
        run: () => void addFolder().then((added) => added && selectProject(added.id, null)),
      },
      addRemoteFolder: { when: true, run: addRemoteFolder },
      importThread: { when: isPresent, run: () => project && void importThread(project.id) },
      exportMarkdown: exported('markdown'),
      exportHtml: exported('html'),
      exportJson: exported('json'),
      revealProject: {
        when: isPresent && project.remote === undefined,
        run: () => project && void revealProject(project),
      },
      settings: { when: true, run: () => useUi.setState({ settings: 'models' }) },
      toggleSidebar: { when: true, checked: sidebar, run: commands.toggleSidebar },
      toggleDock: { when: project !== undefined, checked: dock, run: commands.toggleDock },
      widenDock: { when: project !== undefined, checked: wide, run: () => toggleRoom(narrow) },
      toggleTerminal: { when: project !== undefined, checked: terminal, run: commands.toggleTerminal },
      showFiles: show('files'),
      showChanges: show('changes'),
      showMemories: show('memories'),
      showPlan: show('plan'),
      larger: size(fontSize + STEP),
      smaller: size(fontSize - STEP),
      usualSize: size(100),
      otherTheme: {
        when: true,
        run: () =>
          void change({ theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark' }),
      },
      stop: { when: isActive, run: () => thread && void stop(thread.id) },
      focusApproval: { when: thread !== undefined && thread.waiting > 0, run: () => void focusApproval() },
      tightenMode: { when: isPresent, run: () => project && void tightenMode(project) },
      focusComposer: { when: thread !== undefined, run: () => goToPart('conversation') },
      findInThread: { when: thread !== undefined, run: findInThread },
      newWindow: { when: true, run: () => openWindow(null) },
      pinThread: {
        when: thread !== undefined,
        checked: thread?.pinned === true,
        run: () => thread && void markThreads([thread], { pinned: thread.pinned !== true }, t),
      },
      archiveThread: {
        when: thread !== undefined,
        checked: thread?.archived === true,
        run: () => thread && void markThreads([thread], { archived: thread.archived !== true }, t),
      },
      duplicateThread: { when: thread !== undefined, run: () => thread && void duplicateThread(thread) },
      deleteThread: { when: thread !== undefined, run: () => thread && void deleteThreads([thread], t) },
      palette: { when: true, run: () => useUi.setState((ui) => ({ palette: !ui.palette })) },
      searchThreads: { when: true, run: () => searchAll(commands.showSidebar) },
      inbox: {
        when: true,
        run: () => useUi.setState((ui) => ({ inbox: ui.inbox === null ? { approvalId: null } : null })),
      },
      activity: {
        when: true,
        run: () =>
          useUi.setState((ui) => ({
            activity: ui.activity === null ? { projectId: null, threadId: null, ruleId: null } : null,
          })),
      },
      routines: { when: true, run: () => useUi.setState((ui) => ({ routines: !ui.routines })) },
      quickOpen: { when: isPresent, run: () => useUi.setState({ quickOpen: true }) },
      previousThread: toThread(at - 1),
      nextThread: toThread(at + 1),
      nextPart: { when: true, run: () => goToPart('next') },
      previousPart: { when: true, run: () => goToPart('previous') },
      shortcuts: { when: true, run: () => useUi.setState({ settings: 'shortcuts' }) },
      about: { when: true, run: () => useUi.setState({ settings: 'about' }) },
    };
  }, [threads, project, threadId, layout, commands, fontSize, sidebar, dock, terminal, wide, t]);

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
/** Places where that shortcut has another meaning. */
const OWN_ALLOW =
  '[data-approval], [role="dialog"], [contenteditable="true"], input, textarea:not(:placeholder-shown)';

/** Whether the focused element handles the keys rather than the window. */
function belongsTo(place: Element, keys: string, id: ActionId, platform: Platform): boolean {
  if (place.closest('[data-captures-keys]')) return true;
  // A program in a terminal needs its Ctrl keys; F6 leaves the terminal.
  if (platform !== 'darwin' && place.closest('.xterm') && !keys.endsWith('f6')) return true;
  if (keys === ALLOW) return place.closest(OWN_ALLOW) !== null;
  return id === 'findInThread' && place.closest(OWN_FIND) !== null;
}

function useKeyListener(latest: { readonly current: Runs }): void {
  const platform = useApp((app) => app.platform);
  const chosen = useApp((app) => app.settings.shortcuts ?? NO_KEYS);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const keys = pressed(event, platform);
      const id = keys === null ? undefined : keys === ALLOW ? 'focusApproval' : actionWith(keys, chosen);
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
