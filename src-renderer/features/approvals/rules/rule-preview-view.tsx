import type { RulePreview } from '@contract/control';
import { useReasons, useT } from '../../../i18n';
import { ErrorNote, ExactText } from '../../../ui';

/** What a rule would have decided so far, and the nearest case that it would not cover. */
export const RulePreviewView = ({ preview, effect }: { preview: RulePreview; effect: 'allow' | 'deny' }) => {
  const t = useT();
  const reasons = useReasons();
  const { refused, covered, coveredCalls, checked, nearMiss } = preview;
  if (refused !== null) return <ErrorNote message={reasons.sentences([refused])} />;
  return (
    <div className="flex flex-col gap-2 rounded-control border border-line bg-sunken px-3 py-2 text-small">
      <div>
        <p className="text-fg-2">
          {coveredCalls === 0
            ? t('approvals.coversNone', { checked })
            : t(effect === 'allow' ? 'approvals.covers' : 'approvals.forbids', {
                count: coveredCalls,
                checked,
              })}
        </p>
        {covered.length > 0 && (
          <ul className="mt-1 flex max-h-40 flex-col overflow-auto">
            {covered.map((call) => (
              <li key={call.text} className="flex items-baseline gap-2">
                <code className="min-w-0 grow truncate font-mono">
                  <ExactText text={call.text} strict />
                </code>
                {call.risk === 'high' && <span className="text-deny">{t('approvals.riskHigh')}</span>}
                {call.times > 1 && <span className="text-fg-3 tabular-nums">×{call.times}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      {nearMiss !== null && (
        <p className="text-fg-2">
          {t(nearMiss.happened ? 'approvals.nearMiss' : 'approvals.nearMissMadeUp')}{' '}
          <code className="font-mono break-all text-fg">
            <ExactText text={nearMiss.text} strict />
          </code>
          {t('app.labelled', { label: '', text: '' })}
          {reasons.clause(nearMiss.reason)}
        </p>
      )}
    </div>
  );
};
