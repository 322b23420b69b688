import type { Project } from '@contract/app';
import { APPROVAL_MODES, isLooser } from '@contract/modes';
import { useId } from 'react';
import { useT } from '../../i18n';
import { useApp } from '../../link';
import { Badge } from '../../ui';
import { setMode } from './mode-switch';

/** Every mode in two sentences; recommends the available mode with the fewest questions. */
export const ModeChoice = ({ project }: { project: Project }) => {
  const t = useT();
  const name = useId();
  const hasSandbox = useApp((app) => app.sandbox?.kind != null);
  const mode = project.mode ?? 'ask-risky';
  const recommended = hasSandbox ? 'auto-sandbox' : 'ask-risky';
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">{t('approvals.modeHeading', { project: project.name })}</legend>
      {APPROVAL_MODES.map((one) => (
        <label key={one} className="flex items-start gap-2">
          <input
            type="radio"
            name={name}
            className="mt-1"
            disabled={one === 'auto-sandbox' && !hasSandbox}
            checked={one === mode}
            onChange={() => void setMode(project, one, isLooser(one, mode))}
          />
          <span className="min-w-0">
            <span className="font-medium">{t(`modes.${one}`)}</span>{' '}
            {one === recommended && <Badge tone="accent">{t('approvals.modeRecommended')}</Badge>}
            <span className="block text-small text-fg-2">{t(`modeTexts.${one}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
