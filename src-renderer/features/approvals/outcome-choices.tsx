import type { Approval, Decision } from '@contract/conversation';
import type { Outcome } from '@contract/outcome';
import type { Key } from '../../i18n';
import { useT } from '../../i18n';
import { Bar, KeyButton, sendKeys } from './key-button';
import type { OutcomeSelection } from './outcome-selection';

interface OutcomeChoicesProps {
  approval: Approval;
  outcome: Outcome;
  selection: OutcomeSelection;
  mac: boolean;
  /** Esc does not discard. */
  keepsEscape: boolean;
  busy: Decision['type'] | undefined;
  armed: boolean;
  ready: boolean;
  onDiscardWhy(): void;
  onDecide(decision: Decision): void;
}

/** The other options, in the order of their buttons. */
const others = [
  ['approve', 'outcome.runOutside'],
  ['wait', 'outcome.wait'],
  ['run', 'outcome.run'],
  ['again', 'outcome.again'],
] as const satisfies readonly (readonly [Decision['type'], Key])[];
type Other = (typeof others)[number][0];

/** What Enter does: keep if nothing was refused, otherwise the first allowed option. */
export function firstChoice(
  { allowed }: Approval,
  { refused }: Outcome,
): 'keep' | 'run' | 'wait' | 'again' | undefined {
  if (allowed.includes('keep') && refused.length === 0) return 'keep';
  return (['again', 'wait', 'run', 'keep'] as const).find((type) => allowed.includes(type));
}

/** The buttons of an outcome, each with its key. */
export const OutcomeChoices = (props: OutcomeChoicesProps) => {
  const { approval, outcome, selection, mac, keepsEscape, busy, armed, ready, onDiscardWhy, onDecide } =
    props;
  const t = useT();
  const may = (type: Decision['type']) => approval.allowed.includes(type);
  const first = firstChoice(approval, outcome);
  const isHighRisk = approval.risk === 'high';
  const look = (type: Decision['type'], key?: string) => ({
    keys: type === first ? (isHighRisk ? sendKeys(mac) : (key ?? '↵')) : key,
    variant: isHighRisk
      ? ('danger' as const)
      : type === first
        ? ('primary' as const)
        : ('secondary' as const),
    ...(type === first ? { 'data-allow': true } : {}),
  });
  const other = (type: Other, label: Key) =>
    may(type) && (
      <KeyButton
        key={type}
        {...look(type)}
        aria-disabled={!ready}
        busy={busy === type}
        onClick={() => onDecide({ type })}
      >
        {t(label as 'outcome.run')}
      </KeyButton>
    );
  return (
    <Bar armed={armed}>
      {may('discard') && (
        <KeyButton keys="D" variant="ghost" className="px-2!" onClick={onDiscardWhy}>
          {t('outcome.discardWhy')}
        </KeyButton>
      )}
      {may('discard') && (
        <KeyButton
          keys={keepsEscape ? undefined : 'Esc'}
          busy={busy === 'discard'}
          onClick={() => onDecide({ type: 'discard' })}
        >
          {t('outcome.discard')}
        </KeyButton>
      )}
      {others.map(([type, label]) => other(type, label))}
      {may('keep') && (
        <KeyButton
          {...look('keep', 'K')}
          aria-disabled={!ready || selection.count === 0}
          busy={busy === 'keep'}
          title={selection.count === 0 ? t('outcome.nothingChosen') : undefined}
          onClick={() => selection.count > 0 && onDecide(selection.decision)}
        >
          {selection.isAll
            ? t('outcome.keepAll')
            : t('outcome.keepSome', { count: selection.count, total: selection.total })}
        </KeyButton>
      )}
    </Bar>
  );
};
