import type { TerminalInfo } from '@contract/app';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent, openFile, openLink } from '../../link';
import { useCopy } from '../../ui';
import { showTerminal } from './stream';
import type { MenuPlace } from './terminal-menu';
import { openView, type TerminalView } from './xterm-view';

/** The current match of a search, 0-based, and the number of matches. */
export interface FoundPlaces {
  at: number;
  total: number;
}

interface ViewOptions {
  onLeave(): void;
  asksPaste: boolean;
  openFind(): void;
  openMenu(place: MenuPlace): void;
  found(change: (before: FoundPlaces | undefined) => FoundPlaces | undefined): void;
  /** Asks the person to confirm the text before it is typed. */
  askPaste(text: string): void;
  failed(error: { message: string } | undefined, retry?: () => void): void;
}

/** Copies what is selected. As in every program, nothing needs to say so: the selection shows it. */
export function useCopySelection(): (text: string) => void {
  const copy = useCopy();
  return useCallback((text) => copy(text, () => undefined), [copy]);
}

/** Opens an xterm.js in `place` and connects it to the terminal of the host. */
export function useView(terminal: TerminalInfo, options: ViewOptions) {
  const copy = useCopySelection();
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<TerminalView>();
  const { id: terminalId, marks } = terminal;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    const report = (result: { ok: true } | { ok: false; error: { message: string } }) =>
      latest.current.failed(result.ok ? undefined : result.error);
    const begin = (element: HTMLElement) => {
      const opened = openView(element, marks, {
        input: (data) => void call('terminal.input', { terminalId, data }).then(report),
        resize: (cols, rows) => void call('terminal.resize', { terminalId, cols, rows }),
        openLink: (url) => void openLink(url),
        copy,
        leave: () => latest.current.onLeave(),
        files: {
          locate: async (words) => {
            const answer = await call('terminal.locate', { terminalId, words });
            return answer.ok ? answer.value.paths : [];
          },
          open: openFile,
        },
        openFind: () => latest.current.openFind(),
        openMenu: (at) => latest.current.openMenu(at),
        found: (at, total) => latest.current.found((before) => before && { at, total }),
        askPaste: (text) => (latest.current.asksPaste ? latest.current.askPaste(text) : opened.paste(text)),
        failed: (error, retry) => latest.current.failed(error, retry),
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
    // xterm.js measures its cells once, so the font must be loaded first. If it cannot be loaded, the terminal does not
    // wait.
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
  }, [terminalId, marks, copy]);
  return { place, view };
}
