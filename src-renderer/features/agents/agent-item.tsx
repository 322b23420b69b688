import type { RemoteAgentInfo } from '@contract/agents';
import { Cloud } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, toast, toastUndo, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, ExactText, MoreMenu, useBusy, useFormFocus } from '../../ui';
import { AgentForm } from './agent-form';

interface AgentItemProps {
  agent: RemoteAgentInfo;
  keychain: boolean;
  onChanged(): void;
}

/** One remote agent: what it is for, where it is, and its actions. */
export const AgentItem = ({ agent, keychain, onChanged }: AgentItemProps) => {
  const t = useT();
  const offerUndo = useOfferUndo();
  const projects = useApp((app) => app.projects);
  const [editing, setEditing] = useState(false);
  const focus = useFormFocus(editing);
  const [tested, setTested] = useState<{ error: string | null }>();
  const [busy, during] = useBusy();
  const { id, hasSecret: _, createdAt: __, ...draft } = agent;
  const { name, description, address, graph, projectId } = draft;
  const project = projects.find((one) => one.id === projectId);
  const target = `${address} (${graph})`;
  const test = async () => {
    setTested(undefined);
    const result = await call('agents.test', { draft, secret: null, id });
    if (result.ok) setTested({ error: null });
    else if (result.error.kind !== 'cancelled') setTested({ error: result.error.message });
  };
  const remove = async () => {
    const result = await call('agents.remove', { id });
    if (!result.ok) return setTested({ error: result.error.message });
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
    <li aria-label={name} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
      <div className="flex items-center gap-2">
        <Cloud aria-hidden size={16} className="shrink-0 text-fg-3" />
        <h4 className="min-w-0 truncate font-mono font-medium">
          <ExactText text={name} />
        </h4>
        <span className="min-w-0 grow truncate text-small text-fg-3">
          {projectId === null ? t('agents.forAll') : t('agents.forProject', { project: project?.name ?? '' })}
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
      {editing ? (
        <div ref={focus.form}>
          <AgentForm
            agent={agent}
            keychain={keychain}
            onDone={() => {
              setEditing(false);
              onChanged();
            }}
            onCancel={() => setEditing(false)}
          />
        </div>
      ) : (
        <div className="flex flex-wrap gap-1.5">
          <Button size="sm" busy={busy} onClick={() => void during(test())}>
            {t('agents.test')}
          </Button>
          <Button ref={focus.opener} size="sm" onClick={() => setEditing(true)}>
            {t('agents.edit')}
          </Button>
          <MoreMenu
            label={t('settings.moreFor', { name })}
            items={[{ label: t('agents.remove'), danger: true, onSelect: () => void remove() }]}
          />
        </div>
      )}
    </li>
  );
};
