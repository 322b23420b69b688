import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { useT } from '../../i18n';
import { IconButton, Input } from '../../ui';

interface FindBarProps {
  field: Ref<HTMLInputElement>;
  /** From 0; -1 where there are more than are counted. */
  at: number;
  total: number;
  onFind(text: string, which: 'next' | 'previous' | 'nearest'): void;
  onClose(): void;
}

/** Search in what a terminal shows: Enter goes up, Shift+Enter down, Escape closes. */
export const FindBar = ({ field, at, total, onFind, onClose }: FindBarProps) => {
  const t = useT();
  const [text, setText] = useState('');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onFind(text, event.shiftKey ? 'next' : 'previous');
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search
      aria-label={t('terminal.find')}
      className="absolute top-2 right-4 z-20 flex animate-appear items-center gap-1 rounded-card border border-line-strong bg-raised p-1 shadow-float"
      data-own-find
      onKeyDown={onKeyDown}
    >
      <Input
        ref={field}
        autoFocus
        aria-label={t('terminal.find')}
        placeholder={t('terminal.find')}
        value={text}
        maxLength={400}
        onChange={(event) => {
          setText(event.target.value);
          onFind(event.target.value, 'nearest');
        }}
        className="w-44"
      />
      <span role="status" className="min-w-16 px-1 text-center text-small text-fg-3 tabular-nums">
        {text === ''
          ? ''
          : total === 0
            ? t('terminal.findNone')
            : at < 0
              ? t('terminal.findMany')
              : t('terminal.findAt', { at: at + 1, total })}
      </span>
      <IconButton
        size="sm"
        label={t('terminal.findPrevious')}
        shortcut="Enter"
        disabled={total === 0}
        onClick={() => onFind(text, 'previous')}
        icon={<ChevronUp size={16} />}
      />
      <IconButton
        size="sm"
        label={t('terminal.findNext')}
        shortcut="Shift+Enter"
        disabled={total === 0}
        onClick={() => onFind(text, 'next')}
        icon={<ChevronDown size={16} />}
      />
      <IconButton size="sm" label={t('terminal.findClose')} onClick={onClose} icon={<X size={16} />} />
    </search>
  );
};
