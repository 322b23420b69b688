import type { Project } from '@contract/app';
import { useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, useProjectChoice } from '../../link';
import { Button, Choice, ErrorNote, useBusy, useFault } from '../../ui';
import { PlaceCalls } from './place-calls';
import { fieldOfRules, type RuleField, RuleList, rulesOf, textsOfRules } from './rule-list';

/** What the agent may do at which paths of a project. */
export const ProjectRules = () => {
  const t = useT();
  const { project, options, choose } = useProjectChoice();
  if (project === undefined) return null;
  return (
    <section aria-label={t('places.projectRules')} className="flex flex-col gap-3">
      <div>
        <h3 className="text-title font-semibold">{t('places.projectRules')}</h3>
        <p className="text-small text-fg-3">{t('places.projectRulesAbout')}</p>
      </div>
      <div className="max-w-72">
        <Choice label={t('approvals.ruleProject')} value={project.id} options={options} onChange={choose} />
      </div>
      <RulesForm key={project.id} project={project} />
    </section>
  );
};

const RulesForm = ({ project }: { project: Project }) => {
  const t = useT();
  const saved = project.pathRules ?? [];
  const [rules, setRules] = useState(textsOfRules(saved));
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<RuleField>(form, fieldOfRules);
  const [busy, during] = useBusy();
  const [showsCalls, setShowsCalls] = useState(false);
  const typed = JSON.stringify(rulesOf(rules));
  const isChanged = typed !== JSON.stringify(saved);
  /** What was saved when the person began to change it. */
  const [base, setBase] = useState(saved);
  const isBase = JSON.stringify(base) === JSON.stringify(saved);
  const showSaved = () => {
    setBase(saved);
    setRules(textsOfRules(saved));
    setFault(undefined);
  };
  // While rendering, as React advises for state that follows from a change of something else.
  if (!isBase && (!isChanged || typed === JSON.stringify(base))) showSaved();
  const save = async () => {
    const result = await call('project.setPathRules', { projectId: project.id, rules: rulesOf(rules) });
    if (result.ok) setFault(undefined);
    else refused(result.error);
  };
  return (
    <form
      ref={form}
      className="flex flex-col gap-3"
      // What was saved stays in its fields, and closing the settings loses nothing.
      data-no-draft={isChanged ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        void during(save());
      }}
    >
      <RuleList
        title={t('places.projectRulesList')}
        hint={t('places.projectRulesHint')}
        rules={rules}
        at={at}
        onChange={(next) => {
          setRules(next);
          setFault(undefined);
        }}
      />
      {!isBase && isChanged && !busy && (
        <ErrorNote
          tone="ask"
          message={t('places.rulesChangedMeanwhile')}
          actions={
            <Button size="sm" onClick={showSaved}>
              {t('places.showSavedRules')}
            </Button>
          }
        />
      )}
      {fault?.field === null && <ErrorNote message={fault.message} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={busy} disabled={!isChanged}>
          {t('places.saveRules')}
        </Button>
        <Button aria-expanded={showsCalls} onClick={() => setShowsCalls(!showsCalls)}>
          {t('places.activity')}
        </Button>
      </div>
      {showsCalls && <PlaceCalls owner={project.id} name={project.name} folder={project.mount} />}
    </form>
  );
};
