import type { ProviderState } from '@contract/app';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useT } from '../../i18n';
import { cx } from '../../ui';

/** Whether a provider can be used, and if not, why: an icon and a word. */
export const ProviderStanding = ({ provider }: { provider: ProviderState }) => {
  const t = useT();
  const word = provider.ready
    ? t('settings.ready')
    : provider.needsKey && provider.key === 'none'
      ? t('settings.needsKey')
      : provider.needsBaseUrl && provider.baseUrl === null
        ? t('settings.needsAddress')
        : t('settings.notFound');
  const Icon = provider.ready ? CircleCheck : CircleAlert;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-small text-fg-3">
      <Icon aria-hidden size={12} className={cx(provider.ready ? 'text-ok' : 'text-fg-3')} />
      {word}
    </span>
  );
};
