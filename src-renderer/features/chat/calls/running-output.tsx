import type { TerminalId } from '@contract/ids';
import { useEffect, useState } from 'react';
import { useT } from '../../../i18n';
import { call } from '../../../link';

/** Lines shown, and milliseconds between two updates. */
const LINES = 6;
const LOOK_EVERY = 400;

/** The last lines of a running command. The terminal has all of it; this only shows that it is progressing. */
export const RunningOutput = ({ terminalId }: { terminalId: TerminalId }) => {
  const t = useT();
  const [text, setText] = useState('');
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      void call('terminal.tail', { terminalId, lines: LINES }, stop.signal).then((result) => {
        if (stop.signal.aborted) return;
        if (result.ok) setText(result.value.text);
        timer = setTimeout(look, LOOK_EVERY);
      });
    };
    look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [terminalId]);
  if (text === '') return null;
  return (
    <pre className="mt-0.5 mb-1 ml-6 overflow-hidden rounded-control bg-sunken px-2.5 py-1.5 font-mono text-code text-fg-2">
      <span className="sr-only">{t('tools.outputSoFar')}: </span>
      {text}
    </pre>
  );
};
