import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type IMarker, type ITerminalOptions, Terminal } from '@xterm/xterm';
import { type Block, Blocks } from './blocks';
import { cleanPaste, InputGate, ignoreUntrustedSequences, isRiskyPaste, webAddress } from './filters';
import { type Files, positionLinks } from './position-links';
import type { Screen } from './stream';
import { findColorsOf, themeOf, watchTheme } from './theme';
import { drawWithWebgl } from './webgl';

export interface TerminalView {
  screen: Screen;
  /** False shows a record: it accepts no input, and its size depends only on the window. */
  setRunning(isRunning: boolean): void;
  setScreenReader(isOn: boolean): void;
  focus(): void;
  /** Moves to the next (or the previous) match of a text, and calls `found`. An empty text ends the search. */
  find(text: string, which: 'next' | 'previous' | 'nearest'): void;
  selection(): string;
  selectAll(): void;
  /** Removes all lines except the current one. */
  clear(): void;
  /** The commands of the person's shell, newest first; empty if it does not mark them. */
  blocks(): Block[];
  outputOf(block: Block): string;
  /** Scrolls its first line to the top. */
  showBlock(block: Block): void;
  /** Whether the shell waits for a command. */
  canRun(): boolean;
  /** Types a command and Enter. */
  run(command: string): void;
  /** Types pasted text, as a bracketed paste if the program supports it. */
  paste(text: string): void;
  dispose(): void;
}

interface ViewEvents {
  input(data: string): void;
  /** The new size for the pty; called at most once per `RESIZE_AFTER`. */
  resize(cols: number, rows: number): void;
  openLink(url: string): void;
  copy(text: string): void;
  files: Files;
  /** The search shortcut was pressed. */
  openFind(): void;
  /** The menu was requested at a position in the window (pixels), over a command's output or not. */
  openMenu(place: { x: number; y: number; block: Block | undefined; hasSelection: boolean }): void;
  /** `at` is 0-based; -1 if there are too many to count. */
  found(at: number, total: number): void;
  /** Asks the person to confirm the text before it is typed. */
  askPaste(text: string): void;
  /** Shift+Escape: leaves the terminal by keyboard. */
  leave(): void;
  failed(error: { message: string } | undefined, retry?: () => void): void;
}

/** Milliseconds without another size change before the terminal resizes: a drag is one resize, not sixty. */
const RESIZE_AFTER = 100;
/** Lines kept above the screen; the host sends at most a few megabytes of history. */
const SCROLLBACK = 10_000;
/** Maximum number of matches highlighted at the same time. */
const MAX_FOUND = 1_000;
const IS_MAC = navigator.platform.startsWith('Mac');
const FONT = '"JetBrains Mono Variable", "Noto Sans Mono CJK SC", ui-monospace, monospace';
/** Pixels at the default root size. */
const FONT_SIZE = 12.5;
/** Minimum contrast of text, whatever colors a program uses: AA, and AAA if the person wants high contrast. */
const CONTRAST = { usual: 4.5, high: 7 };

/** The appearance that the person chose, as set on <html>. */
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

/** Clears the current input line, in both bash's and vi's key bindings. */
const KILL_LINE = '\x15';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** Offset in pixels from the upper left corner for a menu that the keyboard opens. */
const MENU_INSET = 24;

/**
 * One xterm.js in `element`. A program's output cannot affect anything outside of it (see filters). `marks`: the mark of its
 * shell (see Blocks).
 */
export function openView(element: HTMLElement, marks: string | undefined, events: ViewEvents): TerminalView {
  const state = { isRunning: true };
  const { terminal, fit, search } = createTerminal(element, events);
  const blocks = marks === undefined ? undefined : new Blocks(terminal, marks, signs(terminal));
  const gate = new InputGate((data) => {
    if (state.isRunning) events.input(data);
  });
  terminal.onData((data) => gate.take(data));
  terminal.onBinary((data) => gate.take(data));

  /** Without input there is no cursor. A replayed record may show its cursor again. */
  const hideCursor = () => {
    if (!state.isRunning) terminal.write(HIDE_CURSOR);
  };
  const resize = (cols: number, rows: number) => {
    if (state.isRunning) events.resize(cols, rows);
  };
  const size = followSize(element, terminal, fit, () => gate.isReplaying, resize);
  const stopPointing = takePointer(element, terminal, blocks, state, events);
  terminal.attachCustomKeyEventHandler((event) => isForTerminal(event, terminal, state.isRunning, events));
  const stopTheme = watchTheme(() => {
    terminal.options = looksOf(element);
    size.take();
  });

  return {
    screen: {
      begin: (info) => {
        gate.replay();
        blocks?.reset();
        terminal.reset();
        terminal.resize(Math.max(2, info.cols), Math.max(2, info.rows));
      },
      write: (data, drawn) => {
        terminal.write(data, drawn);
        hideCursor();
      },
      live: () => {
        events.failed(undefined);
        gate.live();
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

/** The terminal with its links and its search. */
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
  const search = new SearchAddon({ highlightLimit: MAX_FOUND });
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

/** Keeps the terminal and its pty at the size of its element. */
function followSize(
  element: HTMLElement,
  terminal: Terminal,
  fit: FitAddon,
  isReplaying: () => boolean,
  resize: (cols: number, rows: number) => void,
) {
  const take = () => {
    const size = fit.proposeDimensions();
    if (!size || isReplaying() || !(size.cols >= 2 && size.rows >= 2)) return;
    const isNew = size.cols !== terminal.cols || size.rows !== terminal.rows;
    if (!isNew) return;
    terminal.resize(size.cols, size.rows);
    resize(size.cols, size.rows);
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

/** Handles pastes, and opens the menu. Returns a function that stops this. */
function takePointer(
  element: HTMLElement,
  terminal: Terminal,
  blocks: Blocks | undefined,
  state: { readonly isRunning: boolean },
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
    // A program that captures the mouse gets its right button too; Shift bypasses it.
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

/** False for keys that the window or the browser handles. */
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
  // An ended program takes no Ctrl C, so the key can copy.
  const isCopy =
    (event.code === 'KeyC' && (isShifted || (isCommand && (IS_MAC || !isRunning)))) ||
    (event.code === 'Insert' && event.ctrlKey);
  if (isCopy && terminal.hasSelection()) {
    event.preventDefault();
    events.copy(terminal.getSelection());
    return false;
  }
  // A program on the alternate screen (less, vim) has its own Ctrl F.
  const isOwnScreen = isRunning && terminal.buffer.active.type === 'alternate';
  if (event.code === 'KeyF' && isCommand && !event.altKey && (event.shiftKey || !isOwnScreen)) {
    event.preventDefault();
    event.stopPropagation();
    events.openFind();
    return false;
  }
  // Left to the browser, which opens the menu.
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return false;
  // Left to the browser, which fires a paste event.
  return !(isShifted && event.code === 'KeyV');
}

function findPlace(
  element: HTMLElement,
  terminal: Terminal,
  search: SearchAddon,
  text: string,
  which: 'next' | 'previous' | 'nearest',
): void {
  const { match, active } = findColorsOf(element);
  const decorations = {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    activeMatchBorder: active,
    activeMatchColorOverviewRuler: active,
  };
  // While the person types, the last match is selected, because the latest output is the most relevant.
  if (which === 'nearest') terminal.clearSelection();
  if (which === 'next') search.findNext(text, { decorations });
  else search.findPrevious(text, { decorations });
}

/** An icon beside the line of each shell command that shows its status by color and shape. */
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
