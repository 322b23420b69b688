import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type IMarker, type ITerminalOptions, Terminal } from '@xterm/xterm';
import { type Block, Blocks } from './blocks';
import { cleanPaste, ignoreUntrustedSequences, isRiskyPaste, webAddress } from './filters';
import { type Files, positionLinks } from './position-links';
import type { Screen } from './stream';
import { findColoursOf, themeOf, watchTheme } from './theme';
import { drawWithWebgl } from './webgl';

export interface TerminalView {
  screen: Screen;
  /** False shows a record: nothing can be typed, and the size is the window's alone. */
  setRunning(isRunning: boolean): void;
  setScreenReader(isOn: boolean): void;
  focus(): void;
  /** Points at the next (or the previous) place of a text, and tells `found`. An empty text ends the search. */
  find(text: string, which: 'next' | 'previous' | 'nearest'): void;
  selection(): string;
  selectAll(): void;
  /** Takes all lines away but the one that is being written. */
  clear(): void;
  /** The commands of the person's shell, the newest first; empty where it does not mark them. */
  blocks(): Block[];
  outputOf(block: Block): string;
  /** Brings its first line to the top. */
  showBlock(block: Block): void;
  /** The shell waits for a command. */
  canRun(): boolean;
  /** Types a command and Enter. */
  run(command: string): void;
  /** Types what was pasted, as one piece where the program takes it so. */
  paste(text: string): void;
  dispose(): void;
}

interface ViewEvents {
  input(data: string): void;
  /** The pty should take this size; told at most once per `RESIZE_AFTER`. */
  resize(cols: number, rows: number): void;
  openLink(url: string): void;
  copy(text: string): void;
  files: Files;
  /** The keys for the search were pressed. */
  openFind(): void;
  /** The menu was asked for at a place of the window (pixels), over what a command printed or not. */
  openMenu(place: { x: number; y: number; block: Block | undefined; hasSelection: boolean }): void;
  /** `at` from 0; -1 where there are too many to count. */
  found(at: number, total: number): void;
  /** Text that is not typed before the person has seen it. */
  askPaste(text: string): void;
  /** Shift+Escape: the keyboard's way out. */
  leave(): void;
  failed(message: string): void;
}

/** Milliseconds without another change of size before the terminal takes it: a drag is one resize, not sixty. */
const RESIZE_AFTER = 100;
/** Lines kept above the screen; the host sends at most some megabytes of the past. */
const SCROLLBACK = 10_000;
/** Places of a text that are shown at once. */
const MOST_FOUND = 1_000;
const IS_MAC = navigator.platform.startsWith('Mac');
const FONT = '"JetBrains Mono Variable", "Noto Sans Mono CJK SC", ui-monospace, monospace';
/** Pixels at the usual root size. */
const FONT_SIZE = 12.5;
/** Least contrast of letters, whatever colours a program asks for: AA, and AAA where the person wants high contrast. */
const CONTRAST = { usual: 4.5, high: 7 };

/** How it looks by what the person chose, which stands on <html>. */
function looksOf(element: Element): ITerminalOptions {
  const root = document.documentElement;
  const rootSize = Number.parseFloat(getComputedStyle(root).fontSize) || 16;
  return {
    cursorBlink: !('lessMotion' in root.dataset),
    fontSize: (FONT_SIZE * rootSize) / 16,
    minimumContrastRatio: 'highContrast' in root.dataset ? CONTRAST.high : CONTRAST.usual,
    theme: themeOf(element),
  };
}

/** What takes the line that is being written away, in bash's and in vi's keys. */
const KILL_LINE = '\x15';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** Pixels from the upper left corner at which the menu opens for the keyboard. */
const MENU_INSET = 24;

/**
 * One xterm.js in `element`. What a program prints cannot reach outside of it (see filters). `marks`: of its shell (see
 * Blocks).
 */
export function openView(element: HTMLElement, marks: string | undefined, events: ViewEvents): TerminalView {
  const state: ViewState = { isReplaying: true, isRunning: true };
  const { terminal, fit, search } = createTerminal(element, events);
  const blocks = marks === undefined ? undefined : new Blocks(terminal, marks, signs(terminal));
  const send = (data: string) => {
    if (!state.isReplaying && state.isRunning) events.input(data);
  };
  terminal.onData(send);
  terminal.onBinary(send);

  /** Where nothing can be typed, nothing shows where. A record that is written again may show its cursor again. */
  const hideCursor = () => {
    if (!state.isRunning) terminal.write(HIDE_CURSOR);
  };
  const size = followSize(element, terminal, fit, state, events);
  const stopPointing = takePointer(element, terminal, blocks, state, events);
  terminal.attachCustomKeyEventHandler((event) => isForTerminal(event, terminal, state.isRunning, events));
  const stopTheme = watchTheme(() => {
    terminal.options = looksOf(element);
    size.take();
  });

  return {
    screen: {
      begin: (info) => {
        state.isReplaying = true;
        blocks?.reset();
        terminal.reset();
        terminal.resize(Math.max(2, info.cols), Math.max(2, info.rows));
      },
      write: (data, drawn) => {
        terminal.write(data, drawn);
        hideCursor();
      },
      live: () => {
        state.isReplaying = false;
        hideCursor();
        size.take();
      },
      failed: events.failed,
    },
    setRunning: (next) => {
      if (next && !state.isRunning) terminal.write(SHOW_CURSOR);
      state.isRunning = next;
      hideCursor();
      terminal.options.disableStdin = !next;
      terminal.options.cursorInactiveStyle = next ? 'outline' : 'none';
    },
    setScreenReader: (isOn) => {
      terminal.options.screenReaderMode = isOn;
    },
    focus: () => terminal.focus(),
    find: (text, which) => {
      if (text !== '') return findPlace(element, terminal, search, text, which);
      search.clearDecorations();
      terminal.clearSelection();
      events.found(-1, 0);
    },
    selection: () => terminal.getSelection(),
    selectAll: () => terminal.selectAll(),
    clear: () => {
      terminal.clear();
      blocks?.cleared();
    },
    blocks: () => blocks?.list() ?? [],
    outputOf: ({ id }) => blocks?.output(id) ?? '',
    showBlock: ({ id }) => {
      const row = blocks?.rowOf(id);
      if (row !== undefined) terminal.scrollToLine(row);
    },
    canRun: () => state.isRunning && blocks?.isAtPrompt === true,
    run: (command) => {
      terminal.input(KILL_LINE);
      terminal.paste(command);
      terminal.input('\r');
    },
    paste: (text) => terminal.paste(text),
    dispose: () => {
      size.stop();
      stopTheme();
      stopPointing();
      blocks?.dispose();
      terminal.dispose();
    },
  };
}

interface ViewState {
  /** While the past is written again, the terminal answers old questions of programs; those answers must go nowhere. */
  isReplaying: boolean;
  isRunning: boolean;
}

/** The terminal itself, with its links and its search. */
function createTerminal(element: HTMLElement, events: ViewEvents) {
  const terminal = new Terminal({
    allowProposedApi: true,
    fontFamily: FONT,
    lineHeight: 1.25,
    scrollback: SCROLLBACK,
    ...looksOf(element),
    linkHandler: { activate: (_event, url) => open(url) },
  });
  const open = (text: string) => {
    const url = webAddress(text);
    if (url !== undefined) events.openLink(url);
  };
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const search = new SearchAddon({ highlightLimit: MOST_FOUND });
  terminal.loadAddon(search);
  search.onDidChangeResults(({ resultIndex, resultCount }) => events.found(resultIndex, resultCount));
  terminal.registerLinkProvider(positionLinks(terminal, events.files));
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  terminal.loadAddon(new WebLinksAddon((_event, url) => open(url)));
  ignoreUntrustedSequences(terminal);
  terminal.open(element);
  drawWithWebgl(terminal);
  return { terminal, fit, search };
}

/** Gives the terminal, and its pty, the size of its element. */
function followSize(
  element: HTMLElement,
  terminal: Terminal,
  fit: FitAddon,
  state: ViewState,
  events: ViewEvents,
) {
  const take = () => {
    const size = fit.proposeDimensions();
    if (!size || state.isReplaying || !(size.cols >= 2 && size.rows >= 2)) return;
    const isNew = size.cols !== terminal.cols || size.rows !== terminal.rows;
    if (!isNew) return;
    terminal.resize(size.cols, size.rows);
    if (state.isRunning) events.resize(size.cols, size.rows);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(take, RESIZE_AFTER);
  });
  observer.observe(element);
  return {
    take,
    stop: () => {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}

/** Takes what is pasted, and opens the menu. Answers how to stop. */
function takePointer(
  element: HTMLElement,
  terminal: Terminal,
  blocks: Blocks | undefined,
  state: ViewState,
  events: ViewEvents,
): () => void {
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const text = cleanPaste(event.clipboardData?.getData('text/plain') ?? '');
    if (!state.isRunning || text === '') return;
    if (isRiskyPaste(text, terminal.modes.bracketedPasteMode)) events.askPaste(text);
    else terminal.paste(text);
  };
  element.addEventListener('paste', paste, { capture: true });
  const menu = (event: MouseEvent) => {
    event.preventDefault();
    const isPointer = event.button === 2;
    // A program that takes the mouse has its right button too; Shift is the way past it.
    if (isPointer && terminal.modes.mouseTrackingMode !== 'none' && !event.shiftKey) return;
    const box = element.getBoundingClientRect();
    const screen = element.querySelector('.xterm-screen')?.getBoundingClientRect() ?? box;
    const row =
      terminal.buffer.active.viewportY +
      Math.floor((event.clientY - screen.top) / (screen.height / terminal.rows));
    events.openMenu({
      x: isPointer ? event.clientX : box.left + MENU_INSET,
      y: isPointer ? event.clientY : box.top + MENU_INSET,
      block: isPointer ? blocks?.at(row) : blocks?.list()[0],
      hasSelection: terminal.hasSelection(),
    });
  };
  element.addEventListener('contextmenu', menu);
  return () => {
    element.removeEventListener('paste', paste, { capture: true });
    element.removeEventListener('contextmenu', menu);
  };
}

/** False for keys that the window or the browser takes. */
function isForTerminal(
  event: KeyboardEvent,
  terminal: Terminal,
  isRunning: boolean,
  events: ViewEvents,
): boolean {
  if (event.type !== 'keydown') return true;
  if (event.key === 'Escape' && event.shiftKey) {
    event.preventDefault();
    events.leave();
    return false;
  }
  const isShifted = event.ctrlKey && event.shiftKey && !event.altKey;
  const isCommand = IS_MAC ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  // What has ended takes no Ctrl C, so the key is free for copying there.
  const isCopy =
    (event.code === 'KeyC' && (isShifted || (isCommand && (IS_MAC || !isRunning)))) ||
    (event.code === 'Insert' && event.ctrlKey);
  if (isCopy && terminal.hasSelection()) {
    event.preventDefault();
    events.copy(terminal.getSelection());
    return false;
  }
  // A program with a screen of its own (less, vim) has its own Ctrl F.
  const isOwnScreen = isRunning && terminal.buffer.active.type === 'alternate';
  if (event.code === 'KeyF' && isCommand && !event.altKey && (event.shiftKey || !isOwnScreen)) {
    event.preventDefault();
    event.stopPropagation();
    events.openFind();
    return false;
  }
  // Left to the browser, which asks for the menu.
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return false;
  // Left to the browser, which answers with a paste event.
  return !(isShifted && event.code === 'KeyV');
}

function findPlace(
  element: HTMLElement,
  terminal: Terminal,
  search: SearchAddon,
  text: string,
  which: 'next' | 'previous' | 'nearest',
): void {
  const { match, active } = findColoursOf(element);
  const decorations = {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    activeMatchBorder: active,
    activeMatchColorOverviewRuler: active,
  };
  // While one types, the last place counts: what was printed last is what one looks for first.
  if (which === 'nearest') terminal.clearSelection();
  if (which === 'next') search.findNext(text, { decorations });
  else search.findPrevious(text, { decorations });
}

/** A sign beside the line of each command of the shell: how it stands, by colour and form. */
function signs(terminal: Terminal): (block: Block, row: IMarker) => void {
  const standing = new Map<number, string>();
  return ({ id, exitCode }, row) => {
    const isNew = !standing.has(id);
    standing.set(id, exitCode === undefined ? 'running' : exitCode === 0 ? 'done' : 'failed');
    if (!isNew) {
      terminal.refresh(0, terminal.rows - 1);
      return;
    }
    const sign = terminal.registerDecoration({ marker: row });
    row.onDispose(() => standing.delete(id));
    sign?.onRender((element) => {
      element.classList.add('block-sign');
      element.dataset.standing = standing.get(id);
    });
  };
}
