import '@xterm/xterm/css/xterm.css';
import './palette.css';
import type { TerminalInfo } from '@contract/app';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, onHostEvent, openFile, toast } from '../../link';
import { ErrorNote } from '../../ui';
import { FindBar } from './find-bar';
import { PasteQuestion } from './questions';
import { showTerminal } from './stream';
import { openView, type TerminalView } from './xterm-view';

export interface TerminalHandle {
  openFind(): void;
  /** What is selected; empty where nothing is. */
  selection(): string;
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
  const { id: terminalId } = terminal;
  const [found, setFound] = useState<{ at: number; total: number }>();
  const [pasted, setPasted] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef({ onLeave, asksPaste });
  useEffect(() => {
    latest.current = { onLeave, asksPaste };
  }, [onLeave, asksPaste]);
  const openFind = useCallback(() => {
    setFound((before) => before ?? { at: -1, total: 0 });
    requestAnimationFrame(() => field.current?.select());
  }, []);
  useImperativeHandle(handle, () => ({ openFind, selection: () => view?.selection() ?? '' }));

  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    const report = (result: { ok: true } | { ok: false; error: { message: string } }) =>
      setError(result.ok ? undefined : result.error.message);
    const begin = (element: HTMLElement) => {
      const opened = openView(element, {
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
  }, [terminalId, t, openFind]);

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
        className="relative min-h-0 grow py-1.5 pr-0.5 pl-3"
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
