import type { Approval, Decision } from '@contract/approvals';
import type { Outcome } from '@contract/outcome';
import { Ellipsis } from 'lucide-react';
import type { Key, Translate } from '../../../i18n';
import { useT } from '../../../i18n';
import { cx, IconButton, Menu } from '../../../ui';
import { Bar, KeyButton, sendKeys, shifted } from '../key-button';
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
  /** Opens the form for a rule. */
  onAlways(): void;
  onDecide(decision: Decision): void;
}

/** The other options. The first one allowed has a button if Enter does it; all others are in the menu. */
const others = [
  ['wait', 'outcome.wait'],
  ['run', 'outcome.run'],
  ['again', 'outcome.again'],
  ['approve', 'outcome.runOutside'],
] as const satisfies readonly (readonly [Decision['type'], Key])[];

/** What Enter does: keep if nothing was refused, otherwise the first allowed option. */
export function firstChoice(
  { allowed }: Approval,
  { refused }: Outcome,
): 'keep' | 'run' | 'wait' | 'again' | undefined {
  if (allowed.includes('keep') && refused.length === 0) return 'keep';
  return (['again', 'wait', 'run', 'keep'] as const).find((type) => allowed.includes(type));
}

/** What happens to an outcome once a rule for its command is saved: it is kept, or the command runs. */
export const decisionWithRule = (
  approval: Approval,
  outcome: Outcome,
  selection: OutcomeSelection,
): Decision => (firstChoice(approval, outcome) === 'keep' ? selection.decision : { type: 'run' });

/** Whether there can be a rule for the command of an outcome. */
export const mayMakeRule = ({ allowed, preview }: Approval): boolean =>
  preview.kind === 'command' && allowed.includes('run');

/** Counts files only where that says what is left out: not lines, an empty folder, or a repository. */
function keepText({ isAll, isEmpty, files }: OutcomeSelection, { totals }: Outcome, t: Translate): string {
  if (isAll) return t('outcome.keepAll');
  return files === totals.files || (files === 0 && !isEmpty)
    ? t('outcome.keepSelected')
    : t('outcome.keepSome', { kept: files, count: totals.files });
}

/** The buttons of an outcome, each with its key. */
export const OutcomeChoices = (props: OutcomeChoicesProps) => {
  const {
    approval,
    outcome,
    selection,
    mac,
    keepsEscape,
    busy,
    armed,
    ready,
    onDiscardWhy,
    onAlways,
    onDecide,
  } = props;
  const always = mayMakeRule(approval);
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
  const mayDo = others.filter(([type]) => may(type));
  const inMenu = mayDo.filter(([type]) => type !== first);
  return (
    <Bar armed={armed}>
      {(always || inMenu.length > 0) && (
        <Menu
          side="top"
          trigger={<IconButton label={t('outcome.moreChoices')} icon={<Ellipsis aria-hidden size={16} />} />}
          items={[
            ...inMenu.map(([type, label]) => ({
              label: t(label),
              disabled: ready ? undefined : t('approvals.scrollFirst'),
              onSelect: () => onDecide({ type }),
            })),
            ...(always
              ? [
                  {
                    label: t('approvals.always'),
                    shortcut: 'A',
                    disabled: ready ? undefined : t('approvals.scrollFirst'),
                    onSelect: onAlways,
                  },
                ]
              : []),
          ]}
        />
      )}
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
      {mayDo
        .filter(([type]) => type === first)
        .map(([type, label]) => (
          <KeyButton
            key={type}
            {...look(type)}
            aria-disabled={!ready}
            busy={busy === type}
            onClick={() => onDecide({ type })}
          >
            {t(label)}
          </KeyButton>
        ))}
      {may('keep') && (
        <KeyButton
          {...look('keep', isHighRisk ? shifted(mac, 'K') : 'K')}
          aria-disabled={!ready || selection.isEmpty}
          className={cx(selection.isEmpty && 'opacity-50')}
          busy={busy === 'keep'}
          title={selection.isEmpty ? t('outcome.nothingChosen') : undefined}
          onClick={() => !selection.isEmpty && onDecide(selection.decision)}
        >
          {keepText(selection, outcome, t)}
        </KeyButton>
      )}
    </Bar>
  );
};
