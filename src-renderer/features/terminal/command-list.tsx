import type { TerminalInfo } from '@contract/app';
import type { TerminalId } from '@contract/ids';
import { Ban, Bot, CircleCheck, CircleX, Clock, SquareTerminal, Unplug, User } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef } from 'react';
import { useFormats, useT } from '../../i18n';
import { Badge, cx, Spinner, useElapsed, VirtualList, type VirtualListHandle } from '../../ui';
import { durationOf, type Standing, standingOf } from './status';

interface CommandListProps {
  terminals: readonly TerminalInfo[];
  selected: TerminalId | undefined;
  onSelect(terminalId: TerminalId): void;
  handle: Ref<VirtualListHandle>;
}

/** Height in pixels: two lines of text. */
const ROW = 44;

/** The commands of the thread and the person's own terminals, newest first; arrow keys select. */
export const CommandList = ({ terminals, selected, onSelect, handle }: CommandListProps) => {
  const t = useT();
  const id = useId();
  const own = useRef<VirtualListHandle>(null);
  const index = terminals.findIndex((terminal) => terminal.id === selected);
  const choose = (next: number) => {
    const terminal = terminals[Math.min(Math.max(next, 0), terminals.length - 1)];
    if (!terminal) return;
    own.current?.scrollToIndex(terminals.indexOf(terminal));
    onSelect(terminal.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: terminals.length - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  return (
    <VirtualList
      handle={(list) => {
        own.current = list;
        if (typeof handle === 'function') handle(list);
        else if (handle) handle.current = list;
      }}
      items={terminals}
      itemKey={(terminal) => terminal.id}
      rowHeight={ROW}
      role="listbox"
      aria-label={t('terminal.list')}
      aria-activedescendant={index === -1 ? undefined : `${id}-${index}`}
      tabIndex={0}
      className="-outline-offset-2"
      onKeyDown={onKeyDown}
    >
      {(terminal, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focused list handles the keys
        <div
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={terminal.id === selected}
          className={cx(
            'flex h-full flex-col justify-center px-3 hover:bg-hover',
            terminal.id === selected && 'bg-accent-soft hover:bg-accent-soft',
          )}
          title={terminal.command}
          onClick={() => onSelect(terminal.id)}
        >
          <CommandName terminal={terminal} />
          <span className="flex min-w-0 items-center gap-1 overflow-hidden pl-5 text-small text-fg-3 tabular-nums">
            {isAgents(terminal) && (
              <span className="shrink-0 text-accent" title={t('terminal.byAgent')}>
                <Bot aria-hidden size={12} />
                <span className="sr-only">{t('terminal.byAgent')}</span>
              </span>
            )}
            <span className="shrink-0">
              <StandingWord terminal={terminal} />
            </span>
            {terminal.background ? <span className={DOTTED}>{t('terminal.background')}</span> : null}
            {terminal.kind === 'agent' && terminal.callId === null ? (
              <span className={DOTTED}>{t('terminal.byYou')}</span>
            ) : null}
            {terminal.machine === undefined ? null : (
              <span className={DOTTED}>{t('terminal.onMachine', { machine: terminal.machine })}</span>
            )}
            {terminal.sandboxed ? (
              <span className={DOTTED}>{t(terminal.inLayer ? 'terminal.inLayer' : 'sandbox.inside')}</span>
            ) : null}
            <Duration terminal={terminal} />
          </span>
        </div>
      )}
    </VirtualList>
  );
};

/** The agent ran it; the person has not run it again. */
const isAgents = ({ kind, callId }: TerminalInfo): boolean => kind === 'agent' && callId !== null;

/** Whose command it is: an icon and a word. */
export const WhoseMark = ({ terminal }: { terminal: TerminalInfo }) => {
  const t = useT();
  return isAgents(terminal) ? (
    <Badge tone="accent" icon={<Bot aria-hidden size={12} />}>
      {t('terminal.agent')}
    </Badge>
  ) : (
    <Badge icon={<User aria-hidden size={12} />}>{t('terminal.you')}</Badge>
  );
};

/** Separated from the text before it. */
const DOTTED = "min-w-0 truncate before:mr-1 before:content-['·']";

/** The status icon and the command on one line. */
export const CommandName = ({ terminal }: { terminal: TerminalInfo }) => {
  const t = useT();
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <StandingIcon terminal={terminal} />
      <span className={cx('min-w-0 truncate', terminal.kind === 'agent' && 'font-mono text-code')}>
        {terminal.title ??
          (terminal.kind === 'agent' ? terminal.command : t('terminal.shell', { shell: terminal.command }))}
      </span>
    </span>
  );
};

const StandingIcon = ({ terminal }: { terminal: TerminalInfo }) => {
  const look = { 'aria-hidden': true, size: 14 } as const;
  const standing = standingOf(terminal);
  if (terminal.kind === 'person' && standing === 'running')
    return <SquareTerminal {...look} className="shrink-0 text-fg-3" />;
  const icons: Record<Standing, ReactNode> = {
    running: <Spinner />,
    done: <CircleCheck {...look} className="shrink-0 text-ok" />,
    failed: <CircleX {...look} className="shrink-0 text-deny" />,
    timedOut: <Clock {...look} className="shrink-0 text-ask-text" />,
    stopped: <Ban {...look} className="shrink-0 text-fg-3" />,
    lost: <Unplug {...look} className="shrink-0 text-ask-text" />,
  };
  return icons[standing];
};

/** The status as a word. */
const StandingWord = ({ terminal }: { terminal: TerminalInfo }) => {
  const t = useT();
  const standing = standingOf(terminal);
  return standing === 'failed' ? (
    <span className="text-deny">{t('terminal.exit', { code: String(terminal.exitCode) })}</span>
  ) : (
    t(`terminal.${standing}`)
  );
};

/** The run time, updated while the command runs. */
export const Duration = ({ terminal }: { terminal: TerminalInfo }) => {
  const { duration } = useFormats();
  const isRunning = terminal.endedAt === null;
  const ran = useElapsed(terminal.startedAt, isRunning);
  return (
    <span className="shrink-0 whitespace-nowrap">
      · {duration(isRunning ? ran : durationOf(terminal, terminal.startedAt))}
    </span>
  );
};
