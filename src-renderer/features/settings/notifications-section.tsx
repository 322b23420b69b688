import type { Settings } from '@contract/app';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { ErrorNote } from '../../ui';
import { Check } from './check';

/** When Deepdesk shows a system notification. */
export const NotificationsSection = () => {
  const t = useT();
  const settings = useApp((app) => app.settings);
  const [error, setError] = useState<string>();
  const change = async (changes: Partial<Settings>) => {
    const result = await call('settings.change', changes);
    setError(result.ok ? undefined : result.error.message);
  };
  return (
    <div className="flex flex-col gap-5">
      {error !== undefined && <ErrorNote message={error} />}
      <Check
        label={t('settings.approvalNotifications')}
        hint={t('settings.approvalNotificationsHint')}
        checked={settings.notifications !== false}
        onChange={(notifications) => void change({ notifications })}
      />
      <Check
        label={t('settings.turnNotifications')}
        hint={t('settings.turnNotificationsHint')}
        checked={settings.turnNotifications !== false}
        onChange={(turnNotifications) => void change({ turnNotifications })}
      />
    </div>
  );
};
