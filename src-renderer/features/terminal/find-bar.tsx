import { type Ref, useState } from 'react';
import { useT } from '../../i18n';
import { FindBar as Bar } from '../../ui';

interface FindBarProps {
  field: Ref<HTMLInputElement>;
  /** 0-based; -1 if there are more matches than are counted. */
  at: number;
  total: number;
  onFind(text: string, which: 'next' | 'previous' | 'nearest'): void;
  onClose(): void;
}

/** Searches the contents of a terminal, from the end. */
export const FindBar = ({ field, at, total, onFind, onClose }: FindBarProps) => {
  const t = useT();
  const [text, setText] = useState('');
  return (
    <Bar
      label={t('terminal.find')}
      text={text}
      field={field}
      found={{ at, total }}
      onward="up"
      place="over"
      onText={(typed) => {
        setText(typed);
        onFind(typed, 'nearest');
      }}
      onGo={(to) => onFind(text, to === 'up' ? 'previous' : 'next')}
      onClose={onClose}
    />
  );
};
