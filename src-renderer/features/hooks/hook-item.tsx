import type { HookInfo, HookResult } from '@contract/hooks';
import { Ban, CircleCheck, CircleX } from 'lucide-react';
import { listed, useFormats, useReasons, useT } from '../../i18n';
import { cx, ExactText } from '../../ui';

/** One hook: when it runs, what it runs, and what its last run came to. */
export const HookItem = ({ hook }: { hook: HookInfo }) => {
  const t = useT();
  const { name, event, tools, paths, commands, command, timeoutSeconds, onError, last } = hook;
  const only = [...tools, ...paths, ...commands];
  return (
    <li aria-label={name} className="flex flex-col gap-1 border-b border-line py-3 first:pt-0">
      <div className="flex items-baseline gap-2">
        <h3 className="min-w-0 truncate font-medium">{name}</h3>
        <span className="min-w-0 grow truncate text-small text-fg-3">
          {only.length === 0
            ? t(`hooks.${event}`)
            : t('hooks.for', { event: t(`hooks.${event}`), what: listed(t, only) })}
        </span>
      </div>
      <code className="selectable font-mono text-code break-words whitespace-pre-wrap text-fg-2">
        <ExactText text={command} strict />
      </code>
      <p className="text-small text-fg-3">
        {t(event === 'before_tool' && onError === 'deny' ? 'hooks.limitDenies' : 'hooks.limit', {
          seconds: timeoutSeconds,
        })}
      </p>
      <LastRun last={last} />
    </li>
  );
};

const LOOKS = {
  ran: { Icon: CircleCheck, tone: 'text-ok' },
  denied: { Icon: Ban, tone: 'text-fg-3' },
  failed: { Icon: CircleX, tone: 'text-deny' },
};

const LastRun = ({ last }: { last: HookResult | null }) => {
  const t = useT();
  const reasons = useReasons();
  const { duration, moment } = useFormats();
  if (last === null) return <p className="text-small text-fg-3">{t('hooks.notRun')}</p>;
  const { Icon, tone } = LOOKS[last.outcome];
  return (
    <p className="flex items-start gap-1.5 text-small text-fg-2">
      <Icon aria-hidden size={14} className={cx('mt-0.5 shrink-0', tone)} />
      <span className="min-w-0 break-words">
        {t(`hooks.${last.outcome}`, { at: moment(last.at), time: duration(last.durationMs) })}
        {last.why !== null && <span className="block text-fg-3">{reasons.sentences([last.why])}</span>}
      </span>
    </p>
  );
};
