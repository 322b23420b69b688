import type { Approval, Decision } from '@contract/approvals';
import { Ellipsis } from 'lucide-react';
import { useT } from '../../../i18n';
import { IconButton, Menu } from '../../../ui';
import { Bar, KeyButton } from '../key-button';
import type { AnswerMode } from './answer-form';

interface ChoicesProps {
  approval: Approval;
  mac: boolean;
  /** Esc does not reject. */
  keepsEscape: boolean;
  busy: Decision['type'] | undefined;
  /** The card takes decisions. */
  armed: boolean;
  /** The call can be allowed. */
  ready: boolean;
  onOpen(mode: AnswerMode | 'always'): void;
  onDecide(decision: Decision): void;
  /** Allows it in every run of the routine. */
  onAlwaysInRoutine(): void;
}

/** The buttons of the card, each with its key. */
export const Choices = (props: ChoicesProps) => {
  const { approval, mac, keepsEscape, busy, armed, ready, onOpen, onDecide, onAlwaysInRoutine } = props;
  const t = useT();
  const may = (type: Decision['type']) => approval.allowed.includes(type);
  const isHighRisk = approval.risk === 'high';
  const allowKeys = mac ? '⌘↵' : 'Ctrl ↵';
  const isOutside = may('approve') && isOutsideRoutine(approval);
  const more = [
    ...(may('approve') && approval.preview.kind !== 'problem'
      ? [{ label: t('approvals.always'), shortcut: 'A', onSelect: () => onOpen('always') }]
      : []),
    ...(may('edit')
      ? [{ label: t('approvals.editCall'), shortcut: 'E', onSelect: () => onOpen('edit') }]
      : []),
    ...(may('reject')
      ? [{ label: t('approvals.rejectWhy'), shortcut: 'R', onSelect: () => onOpen('reject') }]
      : []),
  ];
  return (
    <Bar armed={armed}>
      {/* The button for the routine takes the space of the others. */}
      {isOutside && (
        <Menu
          side="top"
          trigger={<IconButton label={t('outcome.moreChoices')} icon={<Ellipsis aria-hidden size={16} />} />}
          items={more}
        />
      )}
      {!isOutside && may('approve') && approval.preview.kind !== 'problem' && (
        <KeyButton keys="A" variant="ghost" className="px-2!" onClick={() => onOpen('always')}>
          {t('approvals.always')}
        </KeyButton>
      )}
      {isOutside && (
        <KeyButton
          keys={undefined}
          variant="ghost"
          className="px-2!"
          aria-disabled={!ready}
          onClick={onAlwaysInRoutine}
        >
          {t('routines.always')}
        </KeyButton>
      )}
      {!isOutside && may('edit') && (
        <KeyButton keys="E" variant="ghost" className="px-2!" onClick={() => onOpen('edit')}>
          {t('approvals.editCall')}
        </KeyButton>
      )}
      {!isOutside && may('reject') && !may('wait') && (
        <KeyButton keys="R" variant="ghost" className="px-2!" onClick={() => onOpen('reject')}>
          {t('approvals.rejectWhy')}
        </KeyButton>
      )}
      {may('reject') && (
        <KeyButton
          keys={keepsEscape ? undefined : 'Esc'}
          busy={busy === 'reject'}
          onClick={() => onDecide({ type: 'reject' })}
        >
          {t(may('wait') ? 'approvals.stopCommand' : 'approvals.reject')}
        </KeyButton>
      )}
      {may('wait') && (
        <KeyButton
          keys="↵"
          variant="primary"
          data-allow
          aria-disabled={!ready}
          busy={busy === 'wait'}
          onClick={() => onDecide({ type: 'wait' })}
        >
          {t('approvals.keepWaiting')}
        </KeyButton>
      )}
      {may('approve') && (
        <KeyButton
          keys={isHighRisk ? allowKeys : '↵'}
          variant={isHighRisk ? 'danger' : 'primary'}
          data-allow
          aria-disabled={!ready}
          busy={busy === 'approve'}
          onClick={() => onDecide({ type: 'approve' })}
        >
          {t('approvals.allow')}
        </KeyButton>
      )}
    </Bar>
  );
};

/** It waits because the routine did not do it in its first run. */
const isOutsideRoutine = ({ reason }: Approval) => reason.some(({ code }) => code === 'outside_routine');
