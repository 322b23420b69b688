import { useT } from '../../i18n';
import { FindBar as Bar } from '../../ui';
import type { Search } from './use-search';

interface FindBarProps {
  search: Search;
  onQuery(query: string): void;
  onStep(by: 1 | -1): void;
  onClose(): void;
}

/** Finds in the open file, line by line. */
export const FindBar = ({ search, onQuery, onStep, onClose }: FindBarProps) => {
  const t = useT();
  const { lines, at, cut, query, isSearching } = search;
  return (
    <Bar
      label={t('files.find')}
      text={query}
      found={isSearching ? undefined : { at, total: lines.length, more: cut }}
      onward="down"
      place="row"
      onText={onQuery}
      onGo={(to) => onStep(to === 'down' ? 1 : -1)}
      onClose={onClose}
    />
  );
};
