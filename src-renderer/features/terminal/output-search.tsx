import type { TerminalInfo } from '@contract/app';
import type { Output } from '@contract/commands';
import type { TerminalId, ThreadId } from '@contract/ids';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { cx, Input } from '../../ui';
import { CommandName } from './command-list';

/** Milliseconds after the last keystroke. */
const TYPING = 150;

interface OutputSearchProps {
  commands: readonly TerminalInfo[];
  threadId: ThreadId | null;
  selected: TerminalId;
  onSelect(terminalId: TerminalId): void;
  /** The list of the commands, shown while nothing is searched. */
  children: ReactNode;
}

/** Searches the output of all commands of a thread; a result shows its command. */
export const OutputSearch = ({ commands, threadId, selected, onSelect, children }: OutputSearchProps) => {
  const t = useT();
  const [text, setText] = useState('');
  const found = useFound(threadId, text.trim());
  if (threadId === null || commands.length < 2) return children;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="p-1.5">
        <Input
          type="search"
          icon={<Search aria-hidden size={14} />}
          aria-label={t('terminal.searchOutputs')}
          placeholder={t('terminal.searchOutputs')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return;
            event.stopPropagation();
            setText('');
          }}
        />
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        {text.trim() === '' ? (
          children
        ) : (
          <Results {...{ commands, selected, onSelect }} found={found} text={text.trim()} />
        )}
      </div>
    </div>
  );
};

type Found = Output<'terminal.search'>['found'];

const Results = ({
  found,
  commands,
  selected,
  onSelect,
  text,
}: Pick<OutputSearchProps, 'commands' | 'selected' | 'onSelect'> & {
  found: Found | undefined;
  text: string;
}) => {
  const t = useT();
  if (found === undefined) return null;
  const rows = found.flatMap((one) => {
    const terminal = commands.find(({ id }) => id === one.terminalId);
    return terminal === undefined ? [] : [{ ...one, terminal }];
  });
  if (rows.length === 0)
    return <p className="px-3 py-1 text-small text-fg-3">{t('terminal.noOutput', { query: text })}</p>;
  return (
    <ul aria-label={t('terminal.outputFound')}>
      {rows.map(({ terminal, line, count }) => (
        <li key={terminal.id}>
          <button
            type="button"
            aria-current={terminal.id === selected ? 'true' : undefined}
            title={line}
            onClick={() => onSelect(terminal.id)}
            className={cx(
              'flex w-full flex-col overflow-hidden px-3 py-1 text-left -outline-offset-2 hover:bg-hover',
              terminal.id === selected && 'bg-accent-soft',
            )}
          >
            <span className="w-full min-w-0">
              <CommandName terminal={terminal} />
            </span>
            <span className="w-full truncate pl-5 font-mono text-small text-fg-2">
              <Marked line={line} text={text} />
            </span>
            <span className="pl-5 text-small text-fg-3">{t('terminal.outputLines', { count })}</span>
          </button>
        </li>
      ))}
    </ul>
  );
};

/** The line with its first match marked. */
const Marked = ({ line, text }: { line: string; text: string }) => {
  const at = line.toLowerCase().indexOf(text.toLowerCase());
  if (at === -1) return line;
  return (
    <>
      {line.slice(0, at)}
      <mark className="rounded-mark bg-ask-soft font-semibold text-fg">
        {line.slice(at, at + text.length)}
      </mark>
      {line.slice(at + text.length)}
    </>
  );
};

function useFound(threadId: ThreadId | null, text: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    setFound(undefined);
    if (threadId === null || text === '') return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void call('terminal.search', { threadId, text: text.slice(0, 400) }, stop.signal).then((result) => {
        if (stop.signal.aborted) return;
        setFound(result.ok ? result.value.found : []);
        if (!result.ok) toast(result.error.message);
      });
    }, TYPING);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [threadId, text]);
  return found;
}
