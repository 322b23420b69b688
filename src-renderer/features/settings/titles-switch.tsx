import { useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { ErrorNote } from '../../ui';

/** Whether models name new threads. */
export const TitlesSwitch = () => {
  const t = useT();
  const wanted = useApp((app) => app.settings.titles !== false);
  const [error, setError] = useState<string>();
  const change = async (titles: boolean) => {
    const result = await call('settings.change', { titles });
    setError(result.ok ? undefined : result.error.message);
  };
  return (
    <div className="flex flex-col gap-2">
      {error !== undefined && <ErrorNote message={error} />}
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 shrink-0 accent-accent"
          checked={wanted}
          onChange={(event) => void change(event.target.checked)}
        />
        <span>
          {t('data.titles')}
          <span className="block text-small text-fg-3">{t('data.titlesHint')}</span>
        </span>
      </label>
    </div>
  );
};
