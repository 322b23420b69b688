import type { TerminalInfo } from '@contract/app';
import type { ProjectId, TerminalId, ThreadId } from '@contract/ids';
import { Copy, Ellipsis, Plus, Square, SquareTerminal, X } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, toast, useApp } from '../../link';
import { Button, EmptyState, ErrorNote, IconButton, Menu, Select, type VirtualListHandle } from '../../ui';
import { CommandList, CommandName } from './command-list';
import { durationOf, type Standing, standingOf, terminalsOf } from './status';

// xterm.js is a third of the window's code and not needed for its first look.
const TerminalScreen = lazy(() =>
  import('./terminal-screen').then((module) => ({ default: module.TerminalScreen })),
);

interface TerminalDockProps {
  projectId: ProjectId;
  /** Whose commands are listed beside the person's own terminals. */
  threadId: ThreadId | null;
  /** Null chooses what runs, else the newest. */
  selectedTerminalId: TerminalId | null;
  onSelect(terminalId: TerminalId): void;
}

/** Size of a new terminal until it has been laid out, as terminals have always begun. */
const FIRST_SIZE = { cols: 80, rows: 24 };
const SCREEN_READER = 'deepdesk.terminal.screenReader';

/** Every command of the thread and every terminal of the person, live, with input. */
export const TerminalDock = ({ projectId, threadId, selectedTerminalId, onSelect }: TerminalDockProps) => {
  const t = useT();
  const all = useApp((app) => app.terminals);
  const terminals = terminalsOf(all, projectId, threadId);
  const [error, setError] = useState<string>();
  const [screenReader, setScreenReader] = useState(() => localStorage.getItem(SCREEN_READER) === 'true');
  const [created, setCreated] = useState<TerminalId>();
  const list = useRef<VirtualListHandle>(null);
  const selected =
    terminals.find((terminal) => terminal.id === selectedTerminalId) ??
    terminals.find((terminal) => terminal.status === 'running') ??
    terminals[0];

  const create = async () => {
    const result = await call('terminal.create', { projectId, ...FIRST_SIZE });
    setError(result.ok ? undefined : result.error.message);
    if (!result.ok) return;
    setCreated(result.value.id);
    onSelect(result.value.id);
  };
  const tell = async (command: 'terminal.kill' | 'terminal.close', terminalId: TerminalId) => {
    const result = await call(command, { terminalId });
    setError(result.ok ? undefined : result.error.message);
  };
  const changeScreenReader = () => {
    localStorage.setItem(SCREEN_READER, String(!screenReader));
    setScreenReader(!screenReader);
  };

  const controls = (
    <>
      <IconButton
        size="sm"
        label={t('terminal.newTerminal')}
        icon={<Plus size={16} strokeWidth={1.5} />}
        onClick={() => void create()}
      />
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={t('terminal.options')}
            icon={<Ellipsis size={16} strokeWidth={1.5} />}
          />
        }
        items={[{ label: t('terminal.screenReader'), checked: screenReader, onSelect: changeScreenReader }]}
      />
    </>
  );

  return (
    <section aria-label={t('terminal.title')} className="@container flex h-full min-h-0 flex-col">
      {error !== undefined && (
        <div className="p-2">
          <ErrorNote message={error} />
        </div>
      )}
      {selected === undefined ? (
        <EmptyState
          icon={<SquareTerminal size={28} strokeWidth={1.25} />}
          action={
            <Button icon={<Plus size={14} />} onClick={() => void create()}>
              {t('terminal.newTerminal')}
            </Button>
          }
        >
          {t('terminal.empty')}
        </EmptyState>
      ) : (
        <div className="flex min-h-0 grow">
          <div className="flex w-56 shrink-0 flex-col border-r border-line @max-[620px]:hidden">
            <div className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line pr-1.5 pl-3">
              <h2 className="min-w-0 grow truncate font-medium text-fg-2">{t('terminal.title')}</h2>
              {controls}
            </div>
            <div className="min-h-0 grow">
              <CommandList terminals={terminals} selected={selected.id} onSelect={onSelect} handle={list} />
            </div>
          </div>
          <div className="flex min-w-0 grow flex-col">
            <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-3">
              <span
                className="flex min-w-0 grow items-center gap-2 @max-[620px]:hidden"
                title={selected.command}
              >
                <CommandName terminal={selected} />
                <span className="min-w-0 shrink-[9] truncate text-small text-fg-3" title={selected.cwd}>
                  {t('terminal.in', { folder: selected.cwd })}
                </span>
              </span>
              <span className="flex min-w-0 grow items-center gap-0.5 @min-[620px]:hidden">
                <Select
                  aria-label={t('terminal.list')}
                  className="h-7! min-w-0"
                  options={terminals.map((terminal) => ({
                    value: terminal.id,
                    label: `${terminal.command} · ${t(`terminal.${standingOf(terminal)}`)}`,
                  }))}
                  value={selected.id}
                  onChange={(event) => {
                    const chosen = terminals.find((terminal) => terminal.id === event.target.value);
                    if (chosen) onSelect(chosen.id);
                  }}
                />
                {controls}
              </span>
              <IconButton
                size="sm"
                label={t('terminal.copyCommand')}
                icon={<Copy size={16} strokeWidth={1.5} />}
                onClick={() =>
                  void navigator.clipboard.writeText(selected.command).then(
                    () => toast(t('terminal.copied')),
                    () => toast(t('terminal.copyFailed')),
                  )
                }
              />
              {selected.status === 'running' && selected.kind === 'agent' ? (
                <Button
                  size="sm"
                  icon={<Square size={12} strokeWidth={2} />}
                  onClick={() => void tell('terminal.kill', selected.id)}
                >
                  {t('terminal.stop')}
                </Button>
              ) : (
                <IconButton
                  size="sm"
                  label={t('terminal.close')}
                  icon={<X size={16} strokeWidth={1.5} />}
                  onClick={() => void tell('terminal.close', selected.id)}
                />
              )}
            </header>
            <Note terminal={selected} />
            <div className="min-h-0 grow bg-sunken">
              <Suspense fallback={null}>
                <TerminalScreen
                  key={selected.id}
                  terminal={selected}
                  screenReader={screenReader}
                  takesFocus={selected.id === created}
                  onLeave={() => list.current?.element?.focus()}
                />
              </Suspense>
            </div>
          </div>
        </div>
      )}
    </section>
  );
};

const ended: Record<
  Exclude<Standing, 'running' | 'done'>,
  'endedFailed' | 'endedTimedOut' | 'endedStopped' | 'endedLost'
> = {
  failed: 'endedFailed',
  timedOut: 'endedTimedOut',
  stopped: 'endedStopped',
  lost: 'endedLost',
};

/** What one may do here: type into what runs, only read what ended. */
const Note = ({ terminal }: { terminal: TerminalInfo }) => {
  const t = useT();
  const formats = useFormats();
  const standing = standingOf(terminal);
  if (standing === 'running' && terminal.kind === 'person') return null;
  const duration = formats.duration(durationOf(terminal, terminal.endedAt ?? terminal.startedAt));
  const text =
    standing === 'running'
      ? t('terminal.typeHint')
      : standing === 'done'
        ? t(terminal.exitCode === 0 ? 'terminal.endedDone' : 'terminal.endedUnknown', { duration })
        : t(`terminal.${ended[standing]}`, { duration, code: String(terminal.exitCode) });
  return (
    <p
      className="shrink-0 truncate border-b border-line bg-sunken px-3 py-1 text-small text-fg-3"
      title={text}
    >
      {text}
    </p>
  );
};
