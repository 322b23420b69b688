import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useT } from '../../i18n';
import { IconButton, Input } from '../../ui';
import type { Search } from './use-search';

interface FindBarProps {
  search: Search;
  onQuery(query: string): void;
  onStep(by: 1 | -1): void;
  onClose(): void;
}

const look = { size: 16 };

/** Finds in the open file: Enter and Shift+Enter walk, Escape closes. */
export const FindBar = ({ search, onQuery, onStep, onClose }: FindBarProps) => {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { lines, at, cut, query, isSearching } = search;
  return (
    <search className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line px-2">
      <Input
        ref={field}
        aria-label={t('files.find')}
        placeholder={t('files.find')}
        className="h-7! min-w-0 grow"
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
        }}
      />
      <span role="status" className="shrink-0 px-1.5 text-small text-fg-3 tabular-nums">
        {query === '' || isSearching
          ? ''
          : lines.length === 0
            ? t('files.notFound')
            : t('files.foundAt', { at: at + 1, count: `${lines.length}${cut ? '+' : ''}` })}
      </span>
      <IconButton
        size="sm"
        label={t('files.previous')}
        icon={<ChevronUp {...look} />}
        onClick={() => onStep(-1)}
      />
      <IconButton
        size="sm"
        label={t('files.next')}
        icon={<ChevronDown {...look} />}
        onClick={() => onStep(1)}
      />
      <IconButton size="sm" label={t('files.closeFind')} icon={<X {...look} />} onClick={onClose} />
    </search>
  );
};
