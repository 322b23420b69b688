import { optional } from '@contract/shared/optional';
import type { Reason } from '@contract/shared/reasons';
import type { ReactNode } from 'react';
import { useReasons, useT } from '../../i18n';
import { call, toast, useAnswer, useProjectChoice } from '../../link';
import { Choice, LoadFailed } from '../../ui';
import { Heading } from './heading';
import { RehearsalNote } from './rehearsal-note';

const PROGRAMS = { bubblewrap: 'bubblewrap', seatbelt: 'Seatbelt' } as const;

interface SandboxSectionProps {
  /**
   * The host rules, which are part of the approvals feature. The argument is the reason why no host can be reached, or null.
   */
  hosts(noHosts: Reason | null): ReactNode;
}

/** Whether commands can be sandboxed here, which ones are, what they can reach, and what is hidden from them. */
export const SandboxSection = ({ hosts }: SandboxSectionProps) => {
  const t = useT();
  const reasons = useReasons();
  const { project, options, choose } = useProjectChoice();
  const { answer, reload } = useAnswer('sandbox.read', {});
  if (answer.phase === 'failed') return <LoadFailed error={answer.error} onRetry={reload} />;
  if (answer.phase === 'loading') return <p className="text-fg-2">{t('sandbox.looking')}</p>;
  const details = answer.value;
  const { kind, reason, lacking = [] } = details;
  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        <p className="font-medium">
          {kind === null ? t('sandbox.isMissing') : t('sandbox.isThere', { program: PROGRAMS[kind] })}
        </p>
        {reason !== null && <p className="text-fg-2">{reasons.sentences([reason])}</p>}
        {lacking.map((lack) => (
          <p key={lack.code} className="text-ask-text">
            {reasons.sentences([lack])}
          </p>
        ))}
      </div>
      {kind !== null && project !== undefined && (
        <div className="flex flex-col gap-2">
          <div className="max-w-72">
            <Choice
              label={t('approvals.ruleProject')}
              value={project.id}
              options={options}
              onChange={choose}
            />
          </div>
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="shrink-0 accent-accent"
              checked={project.sandbox !== false}
              onChange={(event) =>
                void call('project.setSandbox', { projectId: project.id, on: event.target.checked }).then(
                  (result) => result.ok || toast(result.error.message),
                )
              }
            />
            {t('sandbox.run')}
          </label>
          <p className="text-small text-fg-3">{t('sandbox.runHint', { project: project.name })}</p>
          {project.sandbox !== false && <RehearsalNote projectId={project.id} />}
        </div>
      )}
      {kind !== null && (
        <>
          {hosts(details.noHosts)}
          <Places title={t('sandbox.hidden')} hint={t('sandbox.hiddenHint')} places={details.hidden} />
          <Places title={t('sandbox.readOnly')} places={details.readOnly} />
        </>
      )}
      <p className="text-small text-fg-3">{t('sandbox.about')}</p>
    </div>
  );
};

const Places = ({ title, hint, places }: { title: string; hint?: string; places: readonly string[] }) => (
  <section className="flex flex-col gap-2">
    <Heading title={title} {...optional({ hint })} />
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      aria-label={title}
      className="max-h-40 overflow-auto rounded-card border border-line bg-sunken px-3 py-2 font-mono text-code"
    >
      {places.map((place) => (
        <li key={place} className="break-all">
          {place}
        </li>
      ))}
    </ul>
  </section>
);
