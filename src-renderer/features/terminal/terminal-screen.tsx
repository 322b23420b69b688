import '@xterm/xterm/css/xterm.css';
import './palette.css';
import type { TerminalInfo } from '@contract/app';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { addToChat, call, onHostEvent, openFile, toast } from '../../link';
import { ErrorNote } from '../../ui';
import type { Block } from './blocks';
import { FindBar } from './find-bar';
import { PasteQuestion } from './questions';
import { quoteOf } from './status';
import { showTerminal } from './stream';
import { type MenuPlace, TerminalMenu } from './terminal-menu';
import { toChat } from './to-chat';
import { openView, type TerminalView } from './xterm-view';

export interface TerminalHandle {
  openFind(): void;
  /** What is selected; empty where nothing is. */
  selection(): string;
  /** The commands of the person's shell, the newest first. */
  blocks(): Block[];
  canRun(): boolean;
  act: BlockActs;
}

/** What can be done with a command of the person's shell. */
export interface BlockActs {
  show(block: Block): void;
  copyCommand(block: Block): void;
  copyOutput(block: Block): void;
  toChat(block: Block): void;
  run(block: Block): void;
}

interface TerminalScreenProps {
  terminal: TerminalInfo;
  screenReader: boolean;
  /** Takes the focus when it appears: the person has just asked for this terminal. */
  takesFocus: boolean;
  /** Shift+Escape: the focus leaves the terminal. */
  onLeave(): void;
  /** Whether several lines are shown before they are pasted. */
  asksPaste: boolean;
  onAskNoMore(): void;
  handle: Ref<TerminalHandle>;
}

/** One live xterm.js for one terminal; another terminal takes another one (give it a key). */
export const TerminalScreen = ({
  terminal,
  screenReader,
  takesFocus,
  onLeave,
  asksPaste,
  onAskNoMore,
  handle,
}: TerminalScreenProps) => {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<TerminalView>();
  const [error, setError] = useState<string>();
  const { id: terminalId, marks } = terminal;
  const [found, setFound] = useState<{ at: number; total: number }>();
  const [pasted, setPasted] = useState<string>();
  const [menu, setMenu] = useState<MenuPlace>();
  /** What is to be done once the menu has given the focus back. */
  const afterMenu = useRef<() => void>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef({ onLeave, asksPaste });
  useEffect(() => {
    latest.current = { onLeave, asksPaste };
  }, [onLeave, asksPaste]);
  const openFind = useCallback(() => {
    setFound((before) => before ?? { at: -1, total: 0 });
    requestAnimationFrame(() => field.current?.select());
  }, []);
  const copy = (text: string, said?: string) =>
    void navigator.clipboard.writeText(text).then(
      () => said !== undefined && toast(said),
      () => toast(t('terminal.copyFailed')),
    );
  const act: BlockActs = {
    show: (block) => view?.showBlock(block),
    copyCommand: ({ command }) => copy(command, t('terminal.copied')),
    copyOutput: (block) => {
      const text = view?.outputOf(block) ?? '';
      if (text === '') toast(t('terminal.nothingPrinted'));
      else copy(text, t('terminal.outputCopied'));
    },
    toChat: (block) =>
      addToChat(quoteOf(block.command, view?.outputOf(block) ?? '', t('terminal.outputLeftOut'))),
    run: ({ command }) => {
      view?.run(command);
      focusLater();
    },
  };
  useImperativeHandle(handle, () => ({
    openFind,
    selection: () => view?.selection() ?? '',
    blocks: () => view?.blocks() ?? [],
    canRun: () => view?.canRun() ?? false,
    act,
  }));

  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    const report = (result: { ok: true } | { ok: false; error: { message: string } }) =>
      setError(result.ok ? undefined : result.error.message);
    const begin = (element: HTMLElement) => {
      const opened = openView(element, marks, {
        input: (data) => void call('terminal.input', { terminalId, data }).then(report),
        resize: (cols, rows) => void call('terminal.resize', { terminalId, cols, rows }),
        openLink: (url) => void call('link.open', { url }),
        copy: (text) => void navigator.clipboard.writeText(text).catch(() => toast(t('terminal.copyFailed'))),
        leave: () => latest.current.onLeave(),
        files: {
          locate: async (words) => {
            const answer = await call('terminal.locate', { terminalId, words });
            return answer.ok ? answer.value.paths : [];
          },
          open: openFile,
        },
        openFind,
        openMenu: setMenu,
        found: (at, total) => setFound((before) => before && { at, total }),
        askPaste: (text) => (latest.current.asksPaste ? setPasted(text) : opened.paste(text)),
        failed: setError,
      });
      const stopShowing = showTerminal(
        {
          attach: () => call('terminal.attach', { terminalId }),
          onData: (receive) =>
            onHostEvent('terminal.data', (event) => {
              if (event.terminalId === terminalId) receive(event.offset, event.data);
            }),
          ack: (offset) => void call('terminal.ack', { terminalId, offset }),
          detach: () => void call('terminal.detach', { terminalId }),
        },
        opened.screen,
      );
      stop = () => {
        stopShowing();
        opened.dispose();
      };
      setView(opened);
    };
    // xterm.js measures its cells once, so the font must be there first. One that cannot be loaded is no reason to wait.
    void document.fonts
      .load('13px "JetBrains Mono Variable"')
      .catch(() => [])
      .then(() => {
        if (!isGone && place.current) begin(place.current);
      });
    return () => {
      isGone = true;
      stop?.();
      setView(undefined);
    };
  }, [terminalId, marks, t, openFind]);

  // A dialog gives the focus back in a turn of its own after it has gone.
  const focusLater = () => setTimeout(() => setTimeout(() => view?.focus()));

  const isRunning = terminal.status === 'running';
  useEffect(() => view?.setRunning(isRunning), [view, isRunning]);
  useEffect(() => view?.setScreenReader(screenReader), [view, screenReader]);
  useEffect(() => {
    if (takesFocus) view?.focus();
  }, [view, takesFocus]);

  return (
    <div className="flex h-full min-h-0 flex-col bg-sunken">
      {error !== undefined && (
        <div className="p-2">
          <ErrorNote message={error} />
        </div>
      )}
      <section
        aria-label={t('terminal.screen', { command: terminal.command })}
        className="relative min-h-0 grow py-1.5 pr-0.5"
      >
        {found !== undefined && (
          <FindBar
            field={field}
            {...found}
            onFind={(text, which) => view?.find(text, which)}
            onClose={() => {
              setFound(undefined);
              view?.find('', 'nearest');
              view?.focus();
            }}
          />
        )}
        <div ref={place} className="h-full overflow-hidden" />
      </section>
      {menu !== undefined && (
        <TerminalMenu
          place={menu}
          isRunning={isRunning}
          canRun={view?.canRun() ?? false}
          onCopy={() => copy(view?.selection() ?? '')}
          onPaste={() => {
            afterMenu.current = () => {
              view?.focus();
              void call('terminal.paste', {});
            };
          }}
          onSelectAll={() => view?.selectAll()}
          onClear={() => view?.clear()}
          onFind={() => {
            afterMenu.current = openFind;
          }}
          onAddToChat={() => {
            afterMenu.current = () => void toChat(terminal, view?.selection() ?? '', t).then(setError);
          }}
          onCopyCommand={act.copyCommand}
          onCopyOutput={act.copyOutput}
          onRun={act.run}
          onBlockToChat={(block) => {
            afterMenu.current = () => act.toChat(block);
          }}
          onClosed={() => {
            setMenu(undefined);
            const then = afterMenu.current;
            afterMenu.current = undefined;
            if (then === undefined) focusLater();
            else setTimeout(() => setTimeout(then));
          }}
        />
      )}
      {pasted !== undefined && (
        <PasteQuestion
          text={pasted}
          onCancel={() => {
            setPasted(undefined);
            focusLater();
          }}
          onPaste={(text, askNoMore) => {
            setPasted(undefined);
            if (askNoMore) onAskNoMore();
            view?.paste(text);
            focusLater();
          }}
        />
      )}
    </div>
  );
};
