import type { TerminalInfo } from '@contract/app';
import type { ProjectId, TerminalId, ThreadId } from '@contract/ids';
import type { Answer } from '@contract/result';
import { Ellipsis, Plus, SquareTerminal } from 'lucide-react';
import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, EmptyState, IconButton, Menu, Select, type VirtualListHandle } from '../../ui';
import { type Attempt, useAttempts } from './attempts';
import { CommandList, CommandName, WhoseMark } from './command-list';
import { EndedNote } from './ended-note';
import { JobsButton } from './jobs-button';
import { OutputSearch } from './output-search';
import { CloseQuestion, RenameQuestion } from './questions';
import { isOf, standingOf, type TabOf, tabsOf, terminalsOf } from './status';
import { TerminalActions } from './terminal-actions';
import type { TerminalHandle } from './terminal-screen';
import { TerminalTabs } from './terminal-tabs';

// xterm.js is a third of the renderer's code and not needed for the first render.
const TerminalScreen = lazy(() =>
  import('./terminal-screen').then((module) => ({ default: module.TerminalScreen })),
);

interface TerminalDockProps {
  projectId: ProjectId;
  /** The thread whose commands are listed beside the person's own terminals. */
  threadId: ThreadId | null;
  /** Null selects a running one, otherwise the newest. */
  selectedTerminalId: TerminalId | null;
  onSelect(terminalId: TerminalId): void;
}

/** The traditional size, used for a new terminal until it has been laid out. */
const FIRST_SIZE = { cols: 80, rows: 24 };
const SCREEN_READER = 'deepdesk.terminal.screenReader';
const ASK_PASTE = 'deepdesk.terminal.askPaste';

interface Kept {
  value: boolean;
  change(next: boolean): void;
}

/** A choice that is stored on this computer. */
function useKept(key: string, byDefault: boolean): Kept {
  const [value, setValue] = useState(() => (localStorage.getItem(key) ?? String(byDefault)) === 'true');
  const change = (next: boolean) => {
    localStorage.setItem(key, String(next));
    setValue(next);
  };
  return { value, change };
}

const isRunning = ({ status }: TerminalInfo) => status === 'running';

/** The selected terminal, otherwise a running one, otherwise the newest. */
const shownOf = (
  terminals: readonly TerminalInfo[],
  threadId: ThreadId | null,
  selected: TerminalId | null,
): TerminalInfo | undefined =>
  terminals.find(({ id }) => id === selected) ??
  terminals.find((one) => isRunning(one) && one.threadId === threadId) ??
  terminals.find((one) => one.kind === 'person' || one.threadId === threadId) ??
  terminals[0];

/** Closes terminals; asks the person first if programs are running in one. */
function useClosing(
  tabs: readonly TabOf[],
  selected: TerminalInfo | undefined,
  open: (tab: TabOf) => void,
  attempt: Attempt,
) {
  const [closing, setClosing] = useState<{ terminal: TerminalInfo; names: string[] }>();
  const close = async (terminal: TerminalInfo) => {
    setClosing(undefined);
    // Selects the neighboring tab next, not any running one.
    const at = tabs.findIndex((one) => one.kind === 'own' && one.terminal.id === terminal.id);
    const beside = at === -1 ? undefined : (tabs[at - 1] ?? tabs[at + 1]);
    await attempt(async () => {
      const closed = await call('terminal.close', { terminalId: terminal.id });
      if (closed.ok && beside !== undefined && terminal.id === selected?.id) open(beside);
      return closed;
    });
  };
  const askClose = async (terminal: TerminalInfo) => {
    const programs = isRunning(terminal)
      ? await call('terminal.programs', { terminalId: terminal.id })
      : undefined;
    if (programs?.ok && programs.value.names.length > 0)
      setClosing({ terminal, names: programs.value.names });
    else await close(terminal);
  };
  const question = closing !== undefined && (
    <CloseQuestion
      names={closing.names}
      onClose={() => void close(closing.terminal)}
      onCancel={() => setClosing(undefined)}
    />
  );
  return { question, askClose };
}

/** Moves the focus out of the terminal: to the list of commands if it is shown, else to the selected tab. */
function focusTabs(list: HTMLElement | null | undefined, tabRow: HTMLElement | null): void {
  if (list?.checkVisibility()) list.focus();
  else tabRow?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
}

/** Every command of the thread and every terminal of the person, live, with input. */
export const TerminalDock = ({ projectId, threadId, selectedTerminalId, onSelect }: TerminalDockProps) => {
  const t = useT();
  const panelId = useId();
  const all = useApp((app) => app.terminals);
  const screenReader = useKept(SCREEN_READER, false);
  const asksPaste = useKept(ASK_PASTE, true);
  const [created, setCreated] = useState<TerminalId>();
  const [renaming, setRenaming] = useState<TerminalInfo>();
  const list = useRef<VirtualListHandle>(null);
  const tabRow = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalHandle>(null);

  const terminals = terminalsOf(all, projectId, threadId, selectedTerminalId);
  const selected = shownOf(terminals, threadId, selectedTerminalId);
  const tabs = tabsOf(terminals, threadId);
  const tab = selected && tabs.find((one) => isOf(one, selected));
  const commands = tab?.kind === 'run' ? tab.terminals : undefined;

  const { note, attempt } = useAttempts(selected?.id);
  const showNew = (terminalId: TerminalId) => {
    setCreated(terminalId);
    onSelect(terminalId);
  };
  const start = (terminal: () => Promise<Answer<{ id: TerminalId }>>) =>
    attempt(async () => {
      const result = await terminal();
      if (result.ok) showNew(result.value.id);
      return result;
    });
  const create = () => start(() => call('terminal.create', { projectId, ...FIRST_SIZE }));
  const restart = ({ id }: TerminalInfo) => start(() => call('terminal.reopen', { terminalId: id }));
  const open = (next: TabOf) => {
    const shown = next.kind === 'own' ? next.terminal : (next.terminals.find(isRunning) ?? next.terminals[0]);
    if (shown) onSelect(shown.id);
  };
  const { question, askClose } = useClosing(tabs, selected, open, attempt);
  const leave = () => focusTabs(list.current?.element, tabRow.current);

  const actions = selected && (
    <TerminalActions
      key={selected.id}
      terminal={selected}
      screen={screen}
      onSelect={showNew}
      onRename={() => setRenaming(selected)}
      onClose={() => void askClose(selected)}
      onRestart={() => void restart(selected)}
      attempt={attempt}
    />
  );

  return (
    <section aria-label={t('terminal.title')} className="@container flex h-full min-h-0 flex-col">
      {note}
      {selected === undefined || tab === undefined ? (
        <NoTerminal onCreate={() => void create()} />
      ) : (
        <>
          <div ref={tabRow} className="flex h-9 shrink-0 items-stretch border-b border-line pr-1.5 pl-2">
            <TerminalTabs
              tabs={tabs}
              selected={tab}
              panelId={panelId}
              onSelect={open}
              onRename={setRenaming}
              onClose={(terminal) => void askClose(terminal)}
            />
            <div className="flex shrink-0 items-center gap-0.5 pl-2">
              <Jobs all={all} projectId={projectId} onSelect={onSelect} attempt={attempt} />
              {tab.kind === 'own' && actions}
              <IconButton
                size="sm"
                label={t('terminal.newTerminal')}
                icon={<Plus size={16} />}
                onClick={() => void create()}
              />
              <Options screenReader={screenReader} asksPaste={asksPaste} />
            </div>
          </div>
          <Panel id={panelId} {...{ commands, selected, onSelect, list, actions }}>
            <Screen
              terminal={selected}
              handle={screen}
              screenReader={screenReader.value}
              takesFocus={selected.id === created}
              asksPaste={asksPaste}
              onLeave={leave}
              onRestart={() => void restart(selected)}
            />
          </Panel>
        </>
      )}
      {question}
      {renaming !== undefined && (
        <Renaming terminal={renaming} onDone={() => setRenaming(undefined)} attempt={attempt} />
      )}
    </section>
  );
};

interface JobsProps {
  all: readonly TerminalInfo[];
  projectId: ProjectId;
  onSelect(terminalId: TerminalId): void;
  attempt: Attempt;
}

/** The agent's background jobs of the project. */
const Jobs = ({ all, projectId, onSelect, attempt }: JobsProps) => (
  <JobsButton
    jobs={all.filter((one) => one.projectId === projectId && one.background === true && isRunning(one))}
    onShow={({ id }) => onSelect(id)}
    onStop={({ id }) => attempt(() => call('terminal.kill', { terminalId: id }))}
  />
);

interface RenamingProps {
  terminal: TerminalInfo;
  onDone(): void;
  attempt: Attempt;
}

const Renaming = ({ terminal, onDone, attempt }: RenamingProps) => (
  <RenameQuestion
    terminal={terminal}
    onCancel={onDone}
    onRename={(title) => {
      onDone();
      void attempt(() => call('terminal.rename', { terminalId: terminal.id, title }));
    }}
  />
);

interface PanelProps {
  id: string;
  /** The thread's commands, if their tab is selected. */
  commands: readonly TerminalInfo[] | undefined;
  selected: TerminalInfo;
  onSelect(terminalId: TerminalId): void;
  list: RefObject<VirtualListHandle | null>;
  actions: ReactNode;
  children: ReactNode;
}

/** The selected terminal, beside the list of commands if it is one of them. */
const Panel = ({ id, commands, selected, onSelect, list, actions, children }: PanelProps) => (
  <div id={id} role="tabpanel" aria-label={useT()('terminal.title')} className="flex min-h-0 grow">
    {commands !== undefined && (
      <div className="w-56 shrink-0 border-r border-line @max-pair:hidden">
        <OutputSearch
          key={selected.threadId}
          commands={commands}
          threadId={selected.threadId}
          selected={selected.id}
          onSelect={onSelect}
        >
          <CommandList terminals={commands} selected={selected.id} onSelect={onSelect} handle={list} />
        </OutputSearch>
      </div>
    )}
    <div className="flex min-w-0 grow flex-col">
      {commands !== undefined && (
        <CommandHeader selected={selected} commands={commands} onSelect={onSelect}>
          {actions}
        </CommandHeader>
      )}
      {children}
    </div>
  </div>
);

interface ScreenProps {
  terminal: TerminalInfo;
  handle: RefObject<TerminalHandle | null>;
  screenReader: boolean;
  takesFocus: boolean;
  asksPaste: Kept;
  onLeave(): void;
  onRestart(): void;
}

/** The selected terminal's output and input. */
const Screen = ({ terminal, asksPaste, onRestart, ...rest }: ScreenProps) => (
  <>
    <EndedNote terminal={terminal} onRestart={onRestart} />
    <div className="min-h-0 grow bg-sunken">
      <Suspense fallback={null}>
        <TerminalScreen
          key={terminal.id}
          terminal={terminal}
          asksPaste={asksPaste.value}
          onAskNoMore={() => asksPaste.change(false)}
          {...rest}
        />
      </Suspense>
    </div>
  </>
);

interface CommandHeaderProps {
  selected: TerminalInfo;
  commands: readonly TerminalInfo[];
  onSelect(terminalId: TerminalId): void;
  children: ReactNode;
}

/** The header above a command's output: the command, as a picker in a narrow dock. */
const CommandHeader = ({ selected, commands, onSelect, children }: CommandHeaderProps) => {
  const t = useT();
  return (
    <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-3">
      <span
        className="flex min-w-0 grow items-center gap-2 @max-pair:hidden"
        title={`${selected.command}\n${selected.cwd}`}
      >
        <WhoseMark terminal={selected} />
        <span className="max-w-1/2 shrink-0">
          <CommandName terminal={selected} />
        </span>
        <span className="min-w-0 truncate text-small text-fg-3">
          {selected.machine === undefined
            ? t('terminal.in', { folder: selected.cwd })
            : t('terminal.inOnMachine', { folder: selected.cwd, machine: selected.machine })}
        </span>
      </span>
      <span className="flex min-w-0 grow items-center @pair:hidden">
        <Select
          aria-label={t('terminal.list')}
          className="h-7! min-w-0"
          options={commands.map((terminal) => ({
            value: terminal.id,
            label: `${terminal.command} · ${t(`terminal.${standingOf(terminal)}`)}`,
          }))}
          value={selected.id}
          onChange={(event) => {
            const chosen = commands.find(({ id }) => id === event.target.value);
            if (chosen) onSelect(chosen.id);
          }}
        />
      </span>
      {children}
    </header>
  );
};

const Options = ({ screenReader, asksPaste }: Record<'screenReader' | 'asksPaste', Kept>) => {
  const t = useT();
  return (
    <Menu
      align="end"
      trigger={<IconButton size="sm" label={t('terminal.options')} icon={<Ellipsis size={16} />} />}
      items={[
        {
          label: t('terminal.screenReader'),
          checked: screenReader.value,
          onSelect: () => screenReader.change(!screenReader.value),
        },
        {
          label: t('terminal.pasteAsk'),
          checked: asksPaste.value,
          onSelect: () => asksPaste.change(!asksPaste.value),
        },
      ]}
    />
  );
};

const NoTerminal = ({ onCreate }: { onCreate(): void }) => {
  const t = useT();
  return (
    <EmptyState
      icon={<SquareTerminal size={32} />}
      action={
        <Button icon={<Plus size={14} />} onClick={onCreate}>
          {t('terminal.newTerminal')}
        </Button>
      }
    >
      {t('terminal.empty')}
    </EmptyState>
  );
};
