import type { RemoteAgentInfo } from '@contract/agents';
import { Cloud } from 'lucide-react';
import { type Ref, useState } from 'react';
import { useT } from '../../i18n';
import { call, toast, toastUndo, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, ExactText, MoreMenu, useBusy, useFormFocus } from '../../ui';
import { AgentForm } from './agent-form';

interface AgentItemProps {
  agent: RemoteAgentInfo;
  keychain: boolean;
  /** It was removed. Only its open form is shown then, with what the person typed. */
  isGone: boolean;
  isEditing: boolean;
  onEditing(isEditing: boolean): void;
  onChanged(): void;
}

/** One remote agent: what it is for, where it is, and its actions. */
export const AgentItem = (props: AgentItemProps) => {
  const { agent, keychain, isGone, isEditing, onEditing, onChanged } = props;
  const { form, opener } = useFormFocus(isEditing);
  const [tested, setTested] = useState<Tested>();
  return (
    <li aria-label={agent.name} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
      {!isGone && <About agent={agent} tested={tested} />}
      {isEditing ? (
        <div ref={form}>
          <AgentForm
            agent={agent}
            isGone={isGone}
            keychain={keychain}
            onDone={() => {
              onEditing(false);
              onChanged();
            }}
            onCancel={() => onEditing(false)}
          />
        </div>
      ) : (
        <ItemActions
          agent={agent}
          editRef={opener}
          onEdit={() => onEditing(true)}
          onTested={setTested}
          onChanged={onChanged}
        />
      )}
    </li>
  );
};

/** What a test, or a failed action, said. */
interface Tested {
  error: string | null;
}

const About = ({ agent, tested }: { agent: RemoteAgentInfo; tested: Tested | undefined }) => {
  const t = useT();
  const { name, description, address, graph, projectId } = agent;
  const project = useApp((app) => app.projects.find((one) => one.id === projectId));
  const target = `${address} (${graph})`;
  return (
    <>
      <div className="flex items-center gap-2">
        <Cloud aria-hidden size={16} className="shrink-0 text-fg-3" />
        <h4 className="min-w-0 truncate font-mono font-medium">
          <ExactText text={name} />
        </h4>
        <span className="min-w-0 grow truncate text-small text-fg-3">
          {projectId === null
            ? t('agents.forAll')
            : project === undefined
              ? t('agents.forRemoved')
              : t('agents.forProject', { project: project.name })}
        </span>
        {tested?.error === null && (
          <span role="status" className="shrink-0 text-small text-ok">
            {t('agents.works')}
          </span>
        )}
      </div>
      <p className="selectable truncate font-mono text-code text-fg-2" title={target}>
        <ExactText text={target} />
      </p>
      <p className="text-small break-words text-fg-2">{description}</p>
      {tested?.error != null && <ErrorNote message={tested.error} />}
    </>
  );
};

interface ItemActionsProps {
  agent: RemoteAgentInfo;
  editRef: Ref<HTMLButtonElement>;
  onEdit(): void;
  onTested(tested: Tested | undefined): void;
  onChanged(): void;
}

const ItemActions = ({ agent, editRef, onEdit, onTested, onChanged }: ItemActionsProps) => {
  const t = useT();
  const offerUndo = useOfferUndo();
  const [busy, during] = useBusy();
  const { id, hasSecret: _, createdAt: __, ...draft } = agent;
  const { name } = draft;
  const test = async () => {
    onTested(undefined);
    const result = await call('agents.test', { draft, secret: null, id });
    if (result.ok) onTested({ error: null });
    else if (result.error.kind !== 'cancelled') onTested({ error: result.error.message });
  };
  const remove = async () => {
    const result = await call('agents.remove', { id });
    if (!result.ok) return onTested({ error: result.error.message });
    const undo = async () => {
      const restored = await call('agents.restore', { id });
      if (!restored.ok) toast(restored.error.message);
      return restored.ok;
    };
    const removed = t('agents.removed', { name });
    if (!offerUndo({ setting: name, said: removed, undo, place: `agent:${id}` }))
      toastUndo(removed, () => void undo());
    onChanged();
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button size="sm" busy={busy} onClick={() => void during(test())}>
        {t('agents.test')}
      </Button>
      <Button ref={editRef} size="sm" onClick={onEdit}>
        {t('agents.edit')}
      </Button>
      <MoreMenu
        label={t('settings.moreFor', { name })}
        items={[{ label: t('agents.remove'), danger: true, onSelect: () => void remove() }]}
      />
    </div>
  );
};
