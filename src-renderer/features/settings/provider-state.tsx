import type { ProviderState } from '@contract/app';
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { useT } from '../../i18n';
import { cx } from '../../ui';

/** Whether a provider can be used, and if not, why: an icon and a word. */
export const ProviderStanding = ({ provider }: { provider: ProviderState }) => {
  const t = useT();
  const isTested = provider.ready && provider.tested === true;
  const word = provider.ready
    ? t(isTested ? 'settings.ready' : 'settings.notTested')
    : provider.needsKey && provider.key === 'none'
      ? t('settings.needsKey')
      : provider.needsBaseUrl && provider.baseUrl === null
        ? t('settings.needsAddress')
        : t('settings.notFound');
  const Icon = isTested ? CircleCheck : provider.ready ? CircleDashed : CircleAlert;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-small text-fg-3">
      <Icon aria-hidden size={12} className={cx(isTested ? 'text-ok' : 'text-fg-3')} />
      {word}
    </span>
  );
};
