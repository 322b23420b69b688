import type { AgentMessage } from '@contract/conversation';
import { useFormats, useT } from '../../i18n';

/** The cost of the request behind an answer, with its tokens and its model; hidden if unknown. */
export const StepCost = ({ message }: { message: AgentMessage }) => {
  const t = useT();
  const formats = useFormats();
  const { usage, costMicroDollars: cost, model } = message;
  if (usage === undefined || cost === undefined) return null;
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  if (input + usage.output === 0) return null;
  const tokens = [
    t('usage.tokens', { input, output: usage.output }),
    ...(usage.cacheRead > 0 ? [t('usage.cached', { cached: usage.cacheRead })] : []),
    ...(model === undefined ? [] : [model]),
  ].join(' · ');
  return (
    <span title={tokens} className="px-1 text-small text-fg-3 tabular-nums">
      {cost === null ? t('usage.priceUnknown') : formats.money(cost)}
    </span>
  );
};
