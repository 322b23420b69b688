import type { Project } from '@contract/app';
import type { ApprovalMode } from '@contract/control';
import { APPROVAL_MODES, isLooser, tighter } from '@contract/modes';
import { Box, ChevronDown, Eye, Hand, ScrollText, ShieldCheck } from 'lucide-react';
import { useReasons, useT } from '../../i18n';
import { call, openActivity, toast, useApp } from '../../link';
import { cx, Menu } from '../../ui';

const icons = { 'auto-sandbox': Box, 'ask-risky': ShieldCheck, 'ask-all': Hand, plan: Eye };

const modeOf = (project: Project): ApprovalMode => project.mode ?? 'ask-risky';

/** A looser mode takes effect once the person confirms it in a system dialog, which the main process shows. */
export async function setMode(project: Project, mode: ApprovalMode, loosen: boolean): Promise<void> {
  const result = await call('project.setMode', { projectId: project.id, mode, loosen });
  if (!result.ok && result.error.kind !== 'cancelled') toast(result.error.message);
}

/** Switches to the next stricter mode immediately; does nothing if there is none. */
export async function tightenMode(project: Project): Promise<void> {
  const next = tighter(modeOf(project));
  if (next !== null) await setMode(project, next, false);
}

/** The project's mode, always visible. */
export const ModeSwitch = ({ project, shortcut }: { project: Project; shortcut: string }) => {
  const t = useT();
  const reasons = useReasons();
  const sandbox = useApp((app) => app.sandbox);
  const mode = modeOf(project);
  const Icon = icons[mode];
  const next = tighter(mode);
  const choose = (wanted: ApprovalMode) => {
    if (wanted !== mode) void setMode(project, wanted, isLooser(wanted, mode));
  };
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={t('approvals.modeNow', { mode: t(`modes.${mode}`) })}
          title={t(`modeHints.${mode}`)}
          className={cx(
            'flex h-7 min-w-9 items-center gap-1.5 rounded-control px-2 text-small hover:bg-hover',
            mode === 'ask-risky' ? 'text-fg-2' : 'font-medium text-ask-text',
          )}
        >
          <Icon aria-hidden size={14} className="shrink-0" />
          <span className="truncate">{t(`modes.${mode}`)}</span>
          <ChevronDown aria-hidden size={12} className="shrink-0 text-fg-3" />
        </button>
      }
      items={[
        { heading: t('approvals.modeHeading', { project: project.name }) },
        ...APPROVAL_MODES.map((one) => {
          const Sign = icons[one];
          // Without a sandbox, the mode is shown with the reason and cannot be selected.
          if (one === 'auto-sandbox' && sandbox?.kind == null)
            return {
              label: t(`modes.${one}`),
              icon: <Sign size={16} />,
              disabled: sandbox?.reason == null ? t('sandbox.looking') : reasons.sentences([sandbox.reason]),
              onSelect: (): void => undefined,
            };
          return {
            label: t('app.labelled', { label: t(`modes.${one}`), text: t(`modeHints.${one}`) }),
            icon: <Sign size={16} />,
            checked: one === mode,
            ...(one === next ? { shortcut } : {}),
            onSelect: () => choose(one),
          };
        }),
        'separator',
        {
          label: `${t('activity.title')}…`,
          icon: <ScrollText size={16} />,
          onSelect: () => openActivity({ projectId: project.id }),
        },
      ]}
    />
  );
};
