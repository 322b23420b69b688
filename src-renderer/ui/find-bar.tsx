import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { IconButton } from './button';
import { cx } from './cx';
import { Input } from './input';
import { useWords } from './words';

/** What was found. `at`: from 0; -1 where there are more than are counted. `more`: there are more than `total`. */
export interface Places {
  at: number;
  total: number;
  more?: boolean;
}

interface FindBarProps {
  /** What is looked through, as the field's name. */
  label: string;
  text: string;
  field?: Ref<HTMLInputElement>;
  /** Undefined: nothing is looked for, or it is not known yet. */
  found: Places | undefined;
  /** Where Enter goes: down a file; up what grows at its end, where one looks from the newest. Shift+Enter goes back. */
  onward: 'up' | 'down';
  /** Over what it looks through, or a row above it. */
  place: 'over' | 'row';
  onText(text: string): void;
  onGo(to: 'up' | 'down'): void;
  onClose(): void;
}

/** Search in one thing, with the same keys everywhere: Enter and Shift+Enter walk over the places, Escape closes. */
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
  const back = onward === 'up' ? 'down' : 'up';
  const isOver = place === 'over';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isOnButton = event.target instanceof HTMLButtonElement;
    // A button that has the focus is pressed by Enter.
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
        maxLength={400}
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
