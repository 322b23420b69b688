import type { Settings } from '@contract/app';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Choice, ErrorNote } from '../../ui';
import { Check } from './check';

const SIZES = [75, 90, 100, 110, 125, 150, 175, 200];

/** Theme, text size, motion, language and the tray. */
export const AppearanceSection = () => {
  const t = useT();
  const settings = useApp((app) => app.settings);
  const [error, setError] = useState<string>();
  const change = async (changes: Partial<Settings>) => {
    const result = await call('settings.change', changes);
    setError(result.ok ? undefined : result.error.message);
  };
  const size = settings.fontSize ?? 100;
  const sizes = [...new Set([...SIZES, size])].sort((a, b) => a - b);
  return (
    <div className="flex flex-col gap-5">
      {error !== undefined && <ErrorNote message={error} />}
      <div className="flex max-w-72 flex-col gap-5">
        <Choice
          label={t('settings.theme')}
          value={settings.theme}
          options={[
            { value: 'system', label: t('settings.themeSystem') },
            { value: 'light', label: t('settings.themeLight') },
            { value: 'dark', label: t('settings.themeDark') },
          ]}
          onChange={(theme) => void change({ theme })}
        />
        <Choice
          label={t('settings.contrast')}
          value={settings.contrast ?? 'system'}
          options={[
            { value: 'system', label: t('settings.contrastSystem') },
            { value: 'more', label: t('settings.contrastMore') },
          ]}
          onChange={(contrast) => void change({ contrast })}
        />
        <Choice
          label={t('settings.fontSize')}
          value={`${size}`}
          options={sizes.map((one) => ({ value: `${one}`, label: `${one}%` }))}
          onChange={(chosen) => void change({ fontSize: Number(chosen) })}
        />
        <Choice
          label={t('settings.motion')}
          value={settings.motion ?? 'system'}
          options={[
            { value: 'system', label: t('settings.motionSystem') },
            { value: 'less', label: t('settings.motionLess') },
          ]}
          onChange={(motion) => void change({ motion })}
        />
        <Choice
          label={t('settings.language')}
          value={settings.language}
          // Each language appears under its own name, so that a user who cannot read the current one finds it.
          options={[
            { value: 'system', label: t('settings.languageSystem') },
            { value: 'en', label: 'English' },
            { value: 'zh', label: '中文' },
          ]}
          onChange={(language) => void change({ language })}
        />
      </div>
      <Check
        label={t('settings.tray')}
        hint={t('settings.trayHint')}
        checked={settings.tray !== false}
        onChange={(tray) => void change({ tray })}
      />
    </div>
  );
};
