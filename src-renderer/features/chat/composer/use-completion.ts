import type { ErrorInWords } from '@contract/result';
import { type RefObject, useCallback, useId, useRef, useState } from 'react';
import { mention } from '../../../link';
import { replaced, type Token, tokenAt } from './completion';
import { type PromptCommand, promptText } from './prompt-form';
import type { SuggestionKeys } from './suggestion-list';
import type { Attaching } from './use-attaching';
import type { Suggestion, SuggestionPlace } from './use-suggestions';

interface CompletionOptions {
  place: SuggestionPlace;
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  write(text: string, caret: number): void;
  append(text: string): void;
  attaching: Attaching;
  onError(error: ErrorInWords): void;
  onCompact(): void;
}

type CommandSuggestion = Extract<Suggestion, { kind: 'command' }>;

/** Replaces the token with the chosen suggestion. `deeper`: a folder continues with its contents. */
function insert(
  suggestion: Suggestion,
  deeper: boolean,
  on: {
    put(words: string, isBegun?: boolean): void;
    attaching: Attaching;
    runCommand(command: CommandSuggestion['command']): void;
  },
): void {
  switch (suggestion.kind) {
    case 'folder':
      if (deeper) on.put(`@${/[\s"]/u.test(suggestion.name) ? '"' : ''}${suggestion.name}`, true);
      else on.put(`${mention(suggestion.name)} `);
      break;
    case 'file':
    case 'memory':
      on.put(`${mention(suggestion.name)} `);
      break;
    case 'terminal':
      on.put('');
      on.attaching.terminal(suggestion.terminal.id, suggestion.name);
      break;
    case 'changes':
      on.put('');
      on.attaching.changes();
      break;
    case 'resource':
      on.put('');
      on.attaching.resource(suggestion.resource);
      break;
    case 'command':
      on.runCommand(suggestion.command);
      break;
    default:
      suggestion satisfies never;
  }
}

/** Offers suggestions after `@` and `/`, and applies the chosen one. */
export function useCompletion({
  place,
  field,
  draft,
  write,
  append,
  attaching,
  onError,
  onCompact,
}: CompletionOptions) {
  const listId = useId();
  const list = useRef<SuggestionKeys>(null);
  const [token, setToken] = useState<Token | null>(null);
  const [active, setActive] = useState<string>();
  const [prompt, setPrompt] = useState<PromptCommand>();
  /** The position where Escape closed a list: it stays closed while the same token is extended. */
  const dismissed = useRef<number>(undefined);

  const look = useCallback((area: HTMLTextAreaElement) => {
    const isCaret = area.selectionStart === area.selectionEnd && document.activeElement === area;
    const found = isCaret ? tokenAt(area.value, area.selectionStart) : null;
    if (found === null) dismissed.current = undefined;
    const next = found !== null && found.from === dismissed.current ? null : found;
    setToken((now) => (isSame(now, next) ? now : next));
  }, []);
  const close = useCallback(() => setToken(null), []);
  /** `isBegun`: the person continues the inserted text, with new suggestions. */
  const put = (words: string, isBegun = false) => {
    if (token === null) return;
    const next = replaced(draft, token, words);
    write(next.text, next.caret);
    setToken(isBegun ? tokenAt(next.text, next.caret) : null);
  };
  const runPrompt = async (command: PromptCommand) => {
    if (command.arguments.length > 0) {
      setPrompt(command);
      return;
    }
    const result = await promptText(place.projectId, command, {});
    if (result.ok) append(result.value.text);
    else onError(result.error);
  };
  const runCommand = (command: CommandSuggestion['command']) => {
    if (command.kind === 'action') {
      put('');
      onCompact();
    } else if (command.kind === 'prompt') {
      put('');
      void runPrompt(command);
    } else put(`/${command.name} `);
  };
  const choose = (suggestion: Suggestion, deeper: boolean) =>
    insert(suggestion, deeper, { put, attaching, runCommand });

  return {
    place,
    listId,
    list,
    token,
    prompt,
    setActive,
    look,
    close,
    choose,
    closePrompt: () => {
      setPrompt(undefined);
      field.current?.focus();
    },
    onPromptText: (text: string) => {
      setPrompt(undefined);
      append(text);
    },
    /** True if the list handled the key. */
    onKey: (key: string): boolean => {
      if (token === null) return false;
      if (key === 'Escape') {
        dismissed.current = token.from;
        setToken(null);
        return true;
      }
      return list.current?.onKey(key) ?? false;
    },
    aria:
      token === null
        ? ({ 'aria-autocomplete': 'list' } as const)
        : ({
            'aria-autocomplete': 'list',
            'aria-haspopup': 'listbox',
            'aria-controls': listId,
            'aria-activedescendant': active,
          } as const),
  };
}

const isSame = (a: Token | null, b: Token | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.kind === b.kind &&
    a.query === b.query &&
    a.from === b.from &&
    a.to === b.to);
