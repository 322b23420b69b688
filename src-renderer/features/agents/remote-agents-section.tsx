import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { lastIn, useLiveAnswer } from '../../link';
import { Button, LoadFailed, Skeleton, useFormFocus, useOpenForms } from '../../ui';
import { AgentForm } from './agent-form';
import { AgentItem } from './agent-item';

const EVENTS = ['agents.changed'] as const;
const EVERY_PROJECT = { projectId: null };

/** The agents on servers, and a form to add one. */
export const RemoteAgentsSection = () => {
  const t = useT();
  const { answer, reload } = useLiveAnswer('agents.list', EVERY_PROJECT, EVENTS);
  const [adding, setAdding] = useState(false);
  const focus = useFormFocus(adding);
  const forms = useOpenForms(lastIn(answer)?.value.agents ?? []);
  if (answer.phase === 'loading') return <Skeleton lines={5} />;
  const failed = answer.phase === 'failed' ? <LoadFailed error={answer.error} onRetry={reload} /> : null;
  const listed = lastIn(answer)?.value;
  if (listed === undefined) return failed;
  const { keychain } = listed;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-fg-3">{t('agents.about')}</p>
      {failed}
      {forms.entries.length === 0 && !adding && <p className="text-fg-3">{t('agents.empty')}</p>}
      {forms.entries.length > 0 && (
        <ul aria-label={t('agents.list')} className="flex flex-col">
          {forms.entries.map(({ entry: agent, isGone }) => (
            <AgentItem
              key={agent.id}
              agent={agent}
              keychain={keychain}
              isGone={isGone}
              isEditing={forms.isOpen(agent.id)}
              onEditing={(isEditing) => forms.setOpen(agent.id, isEditing)}
              onChanged={reload}
            />
          ))}
        </ul>
      )}
      {adding ? (
        <div ref={focus.form}>
          <AgentForm
            agent={null}
            keychain={keychain}
            onDone={() => {
              setAdding(false);
              reload();
            }}
            onCancel={() => setAdding(false)}
          />
        </div>
      ) : (
        <div>
          <Button ref={focus.opener} icon={<Plus size={14} />} onClick={() => setAdding(true)}>
            {t('agents.add')}
          </Button>
        </div>
      )}
    </div>
  );
};
