import type { CommandVerdict, Rule } from '@contract/control';
import type { ProjectId } from '@contract/ids';
import { ruleText } from '@contract/rule-text';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useReasons, useT } from '../../../i18n';
import { call, openActivity, useApp, useProjectChoice } from '../../../link';
import { Badge, Button, Choice, ExactText, useFormFocus, useOpenForms } from '../../../ui';
import { LineForm } from '../questions/line-form';
import { RuleForm } from './rule-form';
import { RuleRow } from './rule-row';

/** All of the person's rules, to view, narrow and revoke, and a field to test a command against them. */
export const RulesSection = () => {
  const t = useT();
  const { project, options, choose } = useProjectChoice();
  const rules = useApp((app) => app.rules);
  const forms = useOpenForms(rules);
  const [adding, setAdding] = useState(false);
  const focus = useFormFocus(adding);
  if (project === undefined) return <p className="text-fg-2">{t('approvals.noProject')}</p>;
  return (
    <div className="flex flex-col gap-5">
      <div className="max-w-72">
        <Choice label={t('approvals.ruleProject')} value={project.id} options={options} onChange={choose} />
      </div>
      <TryCommand key={`${project.id} ${project.mode}`} projectId={project.id} />
      <section className="flex flex-col gap-2">
        <h3 className="text-title font-semibold">{t('approvals.rules')}</h3>
        {forms.entries.length === 0 && <p className="text-fg-2">{t('approvals.noRules')}</p>}
        <ul className="flex flex-col">
          {forms.entries.map(({ entry: rule, isGone }) => (
            <RuleItem
              key={rule.id}
              rule={rule}
              projectId={project.id}
              isGone={isGone}
              isOpen={forms.isOpen(rule.id)}
              onOpen={() => forms.setOpen(rule.id, true)}
              onDone={() => forms.setOpen(rule.id, false)}
            />
          ))}
        </ul>
        {adding ? (
          <div ref={focus.form}>
            <RuleForm projectId={project.id} onDone={() => setAdding(false)} />
          </div>
        ) : (
          <div>
            <Button ref={focus.opener} icon={<Plus size={14} />} onClick={() => setAdding(true)}>
              {t('approvals.addRule')}
            </Button>
          </div>
        )}
      </section>
    </div>
  );
};

interface RuleItemProps {
  rule: Rule;
  projectId: ProjectId;
  /** It was revoked. Its form is open then, with what the person typed. */
  isGone: boolean;
  /** Its form is shown in its place. */
  isOpen: boolean;
  onOpen(): void;
  onDone(): void;
}

const RuleItem = ({ rule, projectId, isGone, isOpen, onOpen, onDone }: RuleItemProps) => {
  const t = useT();
  const focus = useFormFocus(isOpen);
  if (isOpen)
    return (
      <li className="py-2">
        <div ref={focus.form}>
          <RuleForm rule={rule} isGone={isGone} projectId={projectId} onDone={onDone} />
        </div>
      </li>
    );
  return (
    <RuleRow rule={rule} saysAllowed>
      {rule.effect === 'allow' && (
        <Button size="sm" variant="ghost" onClick={() => openActivity({ ruleId: rule.id })}>
          {t('approvals.whatRan')}
        </Button>
      )}
      <Button ref={focus.opener} size="sm" variant="ghost" onClick={onOpen}>
        {t('approvals.narrow')}
      </Button>
    </RuleRow>
  );
};

const verdicts = {
  allow: { tone: 'ok', word: 'approvals.wouldRun' },
  ask: { tone: 'ask', word: 'approvals.wouldAsk' },
  deny: { tone: 'deny', word: 'approvals.wouldDeny' },
} as const;

/** Shows the verdict on a command without running it. */
const TryCommand = ({ projectId }: { projectId: ProjectId }) => {
  const t = useT();
  const reasons = useReasons();
  const [command, setCommand] = useState('');
  const [said, setSaid] = useState<CommandVerdict>();
  const [error, setError] = useState<string>();
  /** The command whose verdict is wanted; null after the person typed on. */
  const asked = useRef<string>(null);
  const rules = useApp((app) => app.rules);
  const tryIt = async () => {
    if (command.trim() === '') return;
    asked.current = command;
    const result = await call('rules.test', { projectId, command });
    if (asked.current !== command) return;
    setError(result.ok ? undefined : result.error.message);
    setSaid(result.ok ? result.value : undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shown verdict follows the rules
  useEffect(() => {
    if (asked.current !== null) void tryIt();
  }, [rules]);
  return (
    <LineForm
      label={t('approvals.tryCommand')}
      placeholder="npm test"
      value={command}
      onChange={(value) => {
        setCommand(value);
        setSaid(undefined);
        setError(undefined);
        asked.current = null;
      }}
      action={t('approvals.try')}
      onSubmit={() => void tryIt()}
      error={error}
    >
      {said && (
        <div role="status" className="flex flex-col gap-1 text-small">
          <p className="flex items-baseline gap-2">
            <Badge tone={verdicts[said.verdict].tone}>{t(verdicts[said.verdict].word)}</Badge>
            <span className="min-w-0 text-fg-2">
              <ExactText text={reasons.sentences(said.reason)} />
            </span>
          </p>
          <p className="text-fg-2">
            {t(said.confined ? 'approvals.inModeConfined' : 'approvals.inMode', {
              mode: t(`modes.${said.mode}`),
            })}
          </p>
          {said.rules.map((rule) => (
            <p key={rule.id} className="text-fg-2">
              {t('approvals.byRule', { rule: ruleText(rule.match) })}
            </p>
          ))}
          {said.parts.length > 1 && (
            <ul className="flex flex-col">
              {said.parts.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a part
                <li key={index} className="text-fg-2">
                  <code className="font-mono text-fg">
                    <ExactText text={part.text} strict />
                  </code>{' '}
                  <ExactText text={reasons.clause(part.reason)} />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </LineForm>
  );
};
