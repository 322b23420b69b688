import {
  Bot,
  File,
  FileDiff,
  Folder,
  type LucideIcon,
  Minimize2,
  NotebookText,
  Plug,
  Sparkles,
  SquareTerminal,
} from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react';
import { listed, useT } from '../../../i18n';
import { cx, ExactText, Kbd, Spinner, useEarlyKey } from '../../../ui';
import type { Token } from './completion';
import { aboutCommand } from './own-skills';
import { type Suggestion, type SuggestionPlace, useSuggestions } from './use-suggestions';

export interface SuggestionKeys {
  /** True if the list handled the key. */
  onKey(key: string): boolean;
}

/** As labeled on the keyboard, in every language. */
const TAB = 'Tab';
/** Pixels kept free above the list. */
const ABOVE = 6;

/** In a low window, limits the list to the remaining height of the conversation above the text. */
function fit(box: HTMLElement | null): (() => void) | undefined {
  const area = box?.closest('[data-conversation]');
  if (!box || !area) return undefined;
  const measure = () => {
    const room = box.getBoundingClientRect().bottom - area.getBoundingClientRect().top - ABOVE;
    box.style.maxHeight = `${room}px`;
  };
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(area);
  return () => observer.disconnect();
}

interface SuggestionListProps {
  id: string;
  token: Token;
  place: SuggestionPlace;
  handle: Ref<SuggestionKeys>;
  /** The id of the suggestion that Enter accepts; undefined if there is none. */
  onActive(id: string | undefined): void;
  /** `deeper`: accepted with Tab or a slash, which continue into a folder. */
  onChoose(suggestion: Suggestion, deeper: boolean): void;
  /** Called for an Enter that came before the list, if nothing matches. */
  onNothing(): void;
}

/** Suggestions for the token at the caret. The focus stays in the text, which passes its keys to `handle`. */
export const SuggestionList = (props: SuggestionListProps) => {
  const { id, token, place, handle, onActive, onChoose, onNothing } = props;
  const t = useT();
  const { suggestions, isAnswered, busy, coming = [] } = useSuggestions(token, place);
  /** The row that the person moved to, and for which text. */
  const [chosen, setChosen] = useState<{ key: string; query: string }>();
  const choose = (key = '') => setChosen({ key, query: token.query });
  const at = Math.max(
    0,
    suggestions.findIndex(({ key }) => key === chosen?.key),
  );
  const active = suggestions[at];
  const activeId = active === undefined ? undefined : `${id}-${at}`;

  useEffect(() => onActive(activeId), [onActive, activeId]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const onEarly = useEarlyKey(token.query, isAnswered, (key: 'Enter' | 'Tab') => {
    if (active !== undefined) onChoose(active, key === 'Tab');
    else if (key === 'Enter') onNothing();
  });
  useImperativeHandle(handle, () => ({
    onKey: (key) => {
      const isMeantRow = isAnswered || chosen?.query === token.query;
      if (!isMeantRow && (key === 'Enter' || key === 'Tab')) {
        onEarly(key);
        return true;
      }
      if (active === undefined) return false;
      const count = suggestions.length;
      const step = { ArrowDown: 1, ArrowUp: count - 1 }[key];
      if (step !== undefined) choose(suggestions[(at + step) % count]?.key);
      else if (key === 'Enter' || key === 'Tab') onChoose(active, key === 'Tab');
      else if (key === '/' && isMeantRow && isMeant(active, token.query, suggestions)) onChoose(active, true);
      else return false;
      return true;
    },
  }));

  const isEmpty = suggestions.length === 0;
  return (
    <div
      ref={fit}
      data-suggestions
      className="absolute right-0 bottom-full left-0 z-30 mb-1.5 flex flex-col overflow-hidden rounded-card border border-line bg-raised shadow-float animate-appear"
    >
      <p role="status" className={cx('px-3 py-2 text-fg-3', (!isEmpty || coming.length > 0) && 'sr-only')}>
        {isEmpty
          ? t(busy ? 'chat.suggestionsLooking' : token.kind === '/' ? 'chat.noCommand' : 'chat.noName')
          : t('chat.suggestions', { count: suggestions.length })}
      </p>
      {!isEmpty && (
        <div
          id={id}
          role="listbox"
          aria-label={t(token.kind === '/' ? 'chat.commandList' : 'chat.nameList')}
          className="max-h-72 min-h-0 overflow-y-auto p-1"
        >
          {suggestions.map((one, index) => (
            <Option
              key={one.key}
              id={`${id}-${index}`}
              suggestion={one}
              active={index === at}
              onChoose={() => onChoose(one, false)}
              onPoint={() => choose(one.key)}
            />
          ))}
        </div>
      )}
      {coming.length > 0 && (
        <p
          role="status"
          className={cx(
            'flex shrink-0 items-center gap-2 px-3 py-1.5 text-small text-fg-3',
            !isEmpty && 'border-t border-line',
          )}
        >
          <Spinner /> {t('chat.promptsComing', { servers: listed(t, coming) })}
        </p>
      )}
    </div>
  );
};

/** Whether a slash accepts the highlighted folder instead of being part of an exact name. */
const isMeant = ({ kind }: Suggestion, query: string, all: readonly Suggestion[]): boolean =>
  kind === 'folder' && query !== '' && !query.endsWith('/') && !all.some(({ name }) => name === `${query}/`);

interface OptionProps {
  id: string;
  suggestion: Suggestion;
  active: boolean;
  onChoose(): void;
  onPoint(): void;
}

const Option = ({ id, suggestion, active, onChoose, onPoint }: OptionProps) => {
  const t = useT();
  const { Icon, name, about, mark } = useWords(suggestion);
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      // Keeps the focus in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
      onMouseMove={active ? undefined : onPoint}
      className={cx('flex h-7 cursor-default items-center gap-2 rounded-control px-2', active && 'bg-hover')}
    >
      <Icon aria-hidden size={16} className="shrink-0 text-fg-3" />
      <span className="min-w-0 max-w-[70%] shrink-0 truncate">{name}</span>
      <span className="min-w-0 grow truncate text-small text-fg-3">{about}</span>
      {mark !== undefined && <span className="shrink-0 text-small text-fg-3">{mark}</span>}
      {active && suggestion.kind === 'folder' && (
        <span className="flex shrink-0 items-center gap-1.5 text-small text-fg-3">
          <Kbd>{TAB}</Kbd> {t('chat.goesInto')}
        </span>
      )}
    </div>
  );
};

const COMMAND_ICONS: Record<'action' | 'skill' | 'agent' | 'prompt', LucideIcon> = {
  action: Minimize2,
  skill: Sparkles,
  agent: Bot,
  prompt: Plug,
};

/** A path by its last part, with its folder in small text. */
function useWords(suggestion: Suggestion): {
  Icon: LucideIcon;
  name: ReactNode;
  about: ReactNode;
  mark?: string;
} {
  const t = useT();
  switch (suggestion.kind) {
    case 'file':
    case 'folder': {
      const clean = suggestion.name.replace(/\/$/u, '');
      const slash = clean.lastIndexOf('/');
      return {
        Icon: suggestion.kind === 'file' ? File : Folder,
        name: <ExactText text={suggestion.name.slice(slash + 1)} oneLine />,
        about: slash > 0 ? <ExactText text={clean.slice(0, slash)} oneLine /> : '',
      };
    }
    case 'memory':
      return {
        Icon: NotebookText,
        name: <ExactText text={suggestion.name.replace(/^\/memories\//u, '')} oneLine />,
        about: suggestion.about,
        mark: t('chat.memory'),
      };
    case 'terminal':
      return {
        Icon: SquareTerminal,
        name: (
          <span className="font-mono text-code">
            <ExactText text={suggestion.name} />
          </span>
        ),
        about: '',
        mark: t('chat.terminalOutput'),
      };
    case 'changes':
      return { Icon: FileDiff, name: suggestion.name, about: t('chat.attachChangesAbout') };
    case 'resource':
      return {
        Icon: Plug,
        name: <ExactText text={suggestion.name} />,
        about: suggestion.resource.description,
        mark: suggestion.resource.server,
      };
    case 'command': {
      const { command } = suggestion;
      return {
        Icon: COMMAND_ICONS[command.kind],
        name: `/${command.name}`,
        about: aboutCommand(t, command),
        ...(command.kind === 'action' ? {} : { mark: t(COMMAND_MARKS[command.kind]) }),
      };
    }
    default:
      return suggestion satisfies never;
  }
}

const COMMAND_MARKS = {
  skill: 'chat.skill',
  agent: 'chat.subAgent',
  prompt: 'chat.mcpPrompt',
} as const;
