import { type PlaceInfo, type PlacePolicy, placeTarget } from '@contract/places';
import { FolderSymlink } from 'lucide-react';
import { type Ref, useState } from 'react';
import { listed, useErrorWords, useFormats, useT } from '../../i18n';
import { call, toast, toastUndo, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, ExactText, MoreMenu, useBusy, useFormFocus } from '../../ui';
import { PlaceCalls } from './place-calls';
import { PlaceForm } from './place-form';
import { PlaceStanding } from './place-standing';

interface PlaceItemProps {
  place: PlaceInfo;
  /** It was removed. Only its open form is shown then, with what the person typed. */
  isGone: boolean;
  isEditing: boolean;
  onEditing(isEditing: boolean): void;
}

/** One place: what it is, its state, what the agent may do there, and its actions. */
export const PlaceItem = ({ place, isGone, isEditing, onEditing }: PlaceItemProps) => {
  const { form, opener } = useFormFocus(isEditing);
  const [showsCalls, setShowsCalls] = useState(false);
  const [error, setError] = useState<string>();
  const close = () => onEditing(false);
  return (
    <li aria-label={place.path} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
      {!isGone && <About place={place} />}
      {error !== undefined && !isGone && <ErrorNote message={error} />}
      {isEditing ? (
        <div ref={form}>
          <PlaceForm place={place} isGone={isGone} onDone={close} onCancel={close} />
        </div>
      ) : (
        <ItemActions
          place={place}
          editRef={opener}
          showsCalls={showsCalls}
          onEdit={() => onEditing(true)}
          onCalls={() => setShowsCalls(!showsCalls)}
          onError={setError}
        />
      )}
      {showsCalls && !isGone && <PlaceCalls owner={place.id} name={place.path} />}
    </li>
  );
};

const About = ({ place }: { place: PlaceInfo }) => {
  const t = useT();
  const errorWords = useErrorWords();
  const formats = useFormats();
  const { path, options, projectId, policy, state, isProject } = place;
  const project = useApp((app) => app.projects.find((one) => one.id === projectId));
  const problem = state.error === null ? undefined : errorWords(state.error);
  const target = placeTarget(options);
  return (
    <>
      <div className="flex items-center gap-2">
        <FolderSymlink aria-hidden size={16} className="shrink-0 text-fg-3" />
        <h4 className="min-w-0 truncate font-mono font-medium">
          <ExactText text={path} oneLine />
        </h4>
        <span className="min-w-0 grow truncate text-small text-fg-3">
          {t(`places.kind_${options.kind}`)}
          {' · '}
          {isProject
            ? t('places.ofProject', { project: project?.name ?? '' })
            : projectId === null
              ? t('places.forAll')
              : project === undefined
                ? t('places.forRemoved')
                : t('places.forProject', { project: project.name })}
        </span>
        <PlaceStanding state={state} />
      </div>
      <p className="selectable truncate font-mono text-code text-fg-2" title={target}>
        <ExactText text={target} />
      </p>
      <p className="text-small text-fg-2">{policyWords(policy, t)}</p>
      {(options.kind === 'ssh' || options.kind === 'container') && (
        <p className="text-small text-fg-2">
          {t(place.runsCommands ? 'places.commands' : 'places.noCommands')}
        </p>
      )}
      {problem !== undefined && (
        <ErrorNote
          tone={state.phase === 'refused' ? 'deny' : 'ask'}
          message={t('app.sentences', {
            first: problem.message,
            second: t('places.since', { time: formats.moment(state.since) }),
          })}
          detail={problem.detail}
        />
      )}
    </>
  );
};

interface ItemActionsProps {
  place: PlaceInfo;
  editRef: Ref<HTMLButtonElement>;
  showsCalls: boolean;
  onEdit(): void;
  onCalls(): void;
  onError(message: string | undefined): void;
}

const ItemActions = ({ place, editRef, showsCalls, onEdit, onCalls, onError }: ItemActionsProps) => {
  const t = useT();
  const offerUndo = useOfferUndo();
  const [busy, during] = useBusy();
  const { id, path, isProject } = place;
  const check = async () => {
    const result = await call('places.check', { id });
    onError(result.ok ? undefined : result.error.message);
  };
  const remove = async () => {
    const result = await call('places.remove', { id });
    onError(result.ok ? undefined : result.error.message);
    if (!result.ok) return;
    const undo = async () => {
      const restored = await call('places.restore', { id });
      if (!restored.ok) toast(restored.error.message);
      return restored.ok;
    };
    const removed = t('places.removed', { path });
    if (!offerUndo({ setting: path, said: removed, undo, place: `place:${id}` }))
      toastUndo(removed, () => void undo());
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button size="sm" busy={busy} onClick={() => void during(check())}>
        {t('places.test')}
      </Button>
      <Button ref={editRef} size="sm" onClick={onEdit}>
        {t('places.edit')}
      </Button>
      <Button size="sm" aria-expanded={showsCalls} onClick={onCalls}>
        {t('places.activity')}
      </Button>
      {!isProject && (
        <MoreMenu
          label={t('settings.moreFor', { name: path })}
          items={[{ label: t('places.remove'), danger: true, onSelect: () => void remove() }]}
        />
      )}
    </div>
  );
};

/** What the agent may do in a place, as a sentence. */
function policyWords(
  { reading, writing, rules, callsPerMinute }: PlacePolicy,
  t: ReturnType<typeof useT>,
): string {
  const parts = [t(`places.reads_${reading}`), t(`places.writes_${writing}`)];
  if (rules.length > 0) parts.push(t('places.exceptions', { count: rules.length }));
  if (callsPerMinute !== null) parts.push(t('places.atMost', { count: callsPerMinute }));
  return listed(t, parts);
}
