import type { HooksState } from '@contract/hooks';
import type { ProjectId } from '@contract/ids';
import type { Answer } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { call, lastIn, useProjectChoice } from '../../link';
import { Button, Choice, ErrorNote, ExactText, LoadFailed, Skeleton } from '../../ui';
import { HookItem } from './hook-item';
import { useHooks } from './use-hooks';

/** The hooks of a project: its file to allow, each hook with its last result, and a switch for all of them. */
export const HooksSection = () => {
  const t = useT();
  const { project, options, choose } = useProjectChoice();
  return (
    <div className="flex flex-col gap-5">
      <p className="text-small text-fg-3">{t('hooks.about')}</p>
      {project !== undefined && (
        <>
          <div className="max-w-72">
            <Choice label={t('hooks.project')} value={project.id} options={options} onChange={choose} />
          </div>
          <OfProject key={project.id} projectId={project.id} />
        </>
      )}
    </div>
  );
};

const OfProject = ({ projectId }: { projectId: ProjectId }) => {
  const t = useT();
  const reasons = useReasons();
  const { answer, reload } = useHooks(projectId);
  const [error, setError] = useState<string>();
  if (answer.phase === 'loading') return <Skeleton lines={4} />;
  const failed = answer.phase === 'failed' ? <LoadFailed error={answer.error} onRetry={reload} /> : null;
  const state = lastIn(answer)?.value;
  if (state === undefined) return failed;
  const { phase, why, source, hooks, digest } = state;
  const done = (result: Answer<unknown>) => {
    const isCancelled = !result.ok && result.error.kind === 'cancelled';
    setError(result.ok || isCancelled ? undefined : result.error.message);
    reload();
  };
  const decide = async (allowed: boolean) =>
    done(await call('hooks.consent', { projectId, digest, allowed }));
  return (
    <div className="flex flex-col gap-3">
      {failed}
      {error !== undefined && <ErrorNote message={error} />}
      {phase === 'none' && <p className="text-fg-3">{t('hooks.none', { source })}</p>}
      {phase === 'invalid' && why !== null && (
        <ErrorNote
          message={reasons.sentences([because('hooks_file_left_out', { path: source, why: [why] })])}
        />
      )}
      {phase === 'consent' && <Consent state={state} onAllow={() => void decide(true)} />}
      {(phase === 'on' || phase === 'off') && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="shrink-0 accent-accent"
            checked={phase === 'on'}
            onChange={(event) =>
              void call('hooks.setEnabled', { projectId, enabled: event.target.checked }).then(done)
            }
          />
          {t('hooks.run')}
        </label>
      )}
      {hooks.length > 0 && (
        <ul aria-label={t('hooks.list')} className="flex flex-col">
          {hooks.map((hook) => (
            <HookItem key={hook.name} hook={hook} />
          ))}
        </ul>
      )}
      {phase === 'on' && (
        <div>
          <Button size="sm" variant="danger" onClick={() => void decide(false)}>
            {t('hooks.withdraw')}
          </Button>
        </div>
      )}
    </div>
  );
};

/** The whole file, shown before anything of it runs. */
const Consent = ({ state, onAllow }: { state: HooksState; onAllow(): void }) => {
  const t = useT();
  const { source, text, scripts } = state;
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote tone="ask" message={t('hooks.consentTitle')} />
      <p className="text-fg-2">{t('hooks.consentText')}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className="selectable max-h-64 overflow-auto rounded-control bg-sunken p-2 font-mono text-code break-words whitespace-pre-wrap"
      >
        <ExactText text={text} />
      </pre>
      <p className="text-small break-words text-fg-3">{t('hooks.source', { source })}</p>
      {scripts.length > 0 && (
        <p className="text-small break-words text-fg-3">
          {t('hooks.scripts', { files: scripts.join(', ') })}
        </p>
      )}
      <div className="flex justify-end">
        <Button size="sm" onClick={onAllow}>
          {t('hooks.allow')}
        </Button>
      </div>
    </div>
  );
};
