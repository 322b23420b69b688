import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react';
import { IconButton } from './button';
import { cx } from './cx';
import { focusBack } from './focus/keep-focus';
import { Input, MAX_QUERY } from './input';
import { useWords } from './words';

/** The search result. `at` counts from 0 and is -1 past the counted matches. `more`: there are more than `total`. */
export interface Places {
  at: number;
  total: number;
  more?: boolean;
}

interface FindBarProps {
  /** What is searched; the accessible name of the field. */
  label: string;
  text: string;
  field?: Ref<HTMLInputElement>;
  /** Undefined: there is no query, or the result is not known yet. */
  found: Places | undefined;
  /**
   * The direction of Enter: down in a file, up in content that grows at its end and is read from the newest. Shift+Enter
   * goes the other way.
   */
  onward: 'up' | 'down';
  /** Over the searched content, or in a row above it. */
  place: 'over' | 'row';
  onText(text: string): void;
  onGo(to: 'up' | 'down'): void;
  onClose(): void;
}

/**
 * Search within one view. The keys are the same everywhere: Enter and Shift+Enter move between matches, Escape closes, and
 * what had the focus before gets it back.
 */
export const FindBar = ({
  label,
  text,
  field,
  found,
  onward,
  place,
  onText,
  onGo,
  onClose,
}: FindBarProps) => {
  const words = useWords();
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => focusBack(before), [before]);
  const back = onward === 'up' ? 'down' : 'up';
  const isOver = place === 'over';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isOnButton = event.target instanceof HTMLButtonElement;
    // Enter presses a focused button.
    if (event.key === 'Enter' && !isOnButton) onGo(event.shiftKey ? back : onward);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = found === undefined || found.total === 0;
  const keyOf = (to: 'up' | 'down') => (to === onward ? 'Enter' : 'Shift+Enter');
  return (
    <search
      aria-label={label}
      data-own-find
      className={cx(
        'flex items-center gap-1',
        isOver
          ? 'absolute top-2 right-4 z-20 animate-appear rounded-card border border-line-strong bg-raised p-1 shadow-float'
          : 'h-9 shrink-0 border-b border-line px-2',
      )}
      onKeyDown={onKeyDown}
    >
      <Input
        ref={field ?? null}
        autoFocus
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={MAX_QUERY}
        onChange={(event) => onText(event.target.value)}
        className={isOver ? 'w-48' : 'h-7! min-w-0 grow'}
      />
      <span role="status" className="min-w-16 shrink-0 px-1 text-center text-small text-fg-3 tabular-nums">
        {text === '' || found === undefined ? '' : told(found, words)}
      </span>
      <IconButton
        size="sm"
        label={words.findPrevious}
        shortcut={keyOf('up')}
        disabled={isEmpty}
        onClick={() => onGo('up')}
        icon={<ChevronUp size={16} />}
      />
      <IconButton
        size="sm"
        label={words.findNext}
        shortcut={keyOf('down')}
        disabled={isEmpty}
        onClick={() => onGo('down')}
        icon={<ChevronDown size={16} />}
      />
      <IconButton
        size="sm"
        label={words.findClose}
        shortcut="Escape"
        onClick={onClose}
        icon={<X size={16} />}
      />
    </search>
  );
};

function told({ at, total, more }: Places, words: ReturnType<typeof useWords>): string {
  if (total === 0) return words.findNone;
  if (at < 0) return words.findMany;
  return words.findAt
    .replace('{at}', String(at + 1))
    .replace('{total}', `${total}${more === true ? '+' : ''}`);
}
