import '@xterm/xterm/css/xterm.css';
import './palette.css';
import type { TerminalInfo } from '@contract/app';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useT } from '../../i18n';
import { call } from '../../link';
import { selectField } from '../../ui';
import { type Attempt, useAttempts } from './attempts';
import type { Block } from './blocks';
import { FindBar } from './find-bar';
import { PasteQuestion } from './questions';
import { nameOf } from './status';
import { type MenuPlace, TerminalMenu } from './terminal-menu';
import { toMessage } from './to-message';
import { type BlockActs, useBlockActs } from './use-block-acts';
import { type FoundPlaces, useCopySelection, useView } from './use-view';
import type { TerminalView } from './xterm-view';

export interface TerminalHandle {
  openFind(): void;
  /** The selected text; empty if there is no selection. */
  selection(): string;
  /** The commands of the person's shell, newest first. */
  blocks(): Block[];
  canRun(): boolean;
  act: BlockActs;
}

interface TerminalScreenProps {
  terminal: TerminalInfo;
  screenReader: boolean;
  /** Takes the focus when it appears, because the person just asked for this terminal. */
  takesFocus: boolean;
  /** Shift+Escape moves the focus out of the terminal. */
  onLeave(): void;
  /** Whether pasting several lines needs confirmation. */
  asksPaste: boolean;
  onAskNoMore(): void;
  handle: Ref<TerminalHandle>;
}

interface Synced {
  isRunning: boolean;
  screenReader: boolean;
  takesFocus: boolean;
}

/** Keeps what the view shows up to date. */
function useSynced(view: TerminalView | undefined, { isRunning, screenReader, takesFocus }: Synced): void {
  useEffect(() => view?.setRunning(isRunning), [view, isRunning]);
  useEffect(() => view?.setScreenReader(screenReader), [view, screenReader]);
  useEffect(() => {
    if (takesFocus) view?.focus();
  }, [view, takesFocus]);
}

/** A dialog returns the focus in a later task, after it has closed. */
const afterDialog = (then: () => void) => void setTimeout(() => setTimeout(then));

/** One live xterm.js per terminal; give it a key so that another terminal gets a new one. */
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
  const { note, attempt, report } = useAttempts(terminal.id);
  const [found, setFound] = useState<FoundPlaces>();
  const [pasted, setPasted] = useState<string>();
  const [menu, setMenu] = useState<MenuPlace>();
  const field = useRef<HTMLInputElement>(null);
  const openFind = useCallback(() => {
    // Immediately: the next key belongs to the field.
    flushSync(() => setFound((before) => before ?? { at: -1, total: 0 }));
    selectField(field.current);
  }, []);
  const closeFind = () => {
    setFound(undefined);
    view?.find('', 'nearest');
    view?.focus();
  };
  const { place, view } = useView(terminal, {
    onLeave,
    asksPaste,
    openFind,
    openMenu: setMenu,
    found: setFound,
    askPaste: setPasted,
    failed: report,
  });
  const focusLater = () => afterDialog(() => view?.focus());
  const closePaste = () => {
    setPasted(undefined);
    focusLater();
  };
  const act = useBlockActs(view, focusLater);
  useImperativeHandle(handle, () => ({
    openFind,
    selection: () => view?.selection() ?? '',
    blocks: () => view?.blocks() ?? [],
    canRun: () => view?.canRun() ?? false,
    act,
  }));

  useSynced(view, { isRunning: terminal.status === 'running', screenReader, takesFocus });

  return (
    <div className="flex h-full min-h-0 flex-col bg-sunken">
      {note}
      <section
        aria-label={t('terminal.screen', { command: nameOf(terminal) })}
        className="relative min-h-0 grow py-1.5 pr-0.5"
      >
        {found !== undefined && (
          <FindBar
            field={field}
            {...found}
            onFind={(text, which) => view?.find(text, which)}
            onClose={closeFind}
          />
        )}
        <div ref={place} className="h-full overflow-hidden" />
      </section>
      {menu !== undefined && (
        <ScreenMenu
          place={menu}
          terminal={terminal}
          view={view}
          act={act}
          onFind={openFind}
          attempt={attempt}
          onClosed={(then = () => view?.focus()) => {
            setMenu(undefined);
            afterDialog(then);
          }}
        />
      )}
      {pasted !== undefined && (
        <PasteQuestion
          text={pasted}
          onCancel={closePaste}
          onPaste={(text, askNoMore) => {
            if (askNoMore) onAskNoMore();
            view?.paste(text);
            closePaste();
          }}
        />
      )}
    </div>
  );
};

interface ScreenMenuProps {
  place: MenuPlace;
  terminal: TerminalInfo;
  view: TerminalView | undefined;
  act: BlockActs;
  onFind(): void;
  attempt: Attempt;
  /** `then`: runs after the menu has returned the focus. */
  onClosed(then: (() => void) | undefined): void;
}

/** The menu of the terminal, and of the command under the pointer. */
const ScreenMenu = (props: ScreenMenuProps) => {
  const { place, terminal, view, act, onFind, attempt, onClosed } = props;
  const t = useT();
  const copy = useCopySelection();
  const afterMenu = useRef<() => void>(undefined);
  return (
    <TerminalMenu
      place={place}
      isRunning={terminal.status === 'running'}
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
        afterMenu.current = onFind;
      }}
      onAddToMessage={() => {
        afterMenu.current = () => void attempt(() => toMessage(terminal, view?.selection() ?? '', t));
      }}
      onCopyCommand={act.copyCommand}
      onCopyOutput={act.copyOutput}
      onRun={act.run}
      onBlockToMessage={(block) => {
        afterMenu.current = () => act.toMessage(block);
      }}
      onClosed={() => {
        const then = afterMenu.current;
        afterMenu.current = undefined;
        onClosed(then);
      }}
    />
  );
};
