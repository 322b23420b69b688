import { type PlaceInfo, type PlacePolicy, placeTarget } from '@contract/places';
import { FolderSymlink } from 'lucide-react';
import { useState } from 'react';
import { listed, useErrorWords, useFormats, useT } from '../../i18n';
import { call, toast, toastUndo, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, ExactText, MoreMenu, useBusy, useFormFocus } from '../../ui';
import { PlaceCalls } from './place-calls';
import { PlaceForm } from './place-form';
import { PlaceStanding } from './place-standing';

/** One place: what it is, its state, what the agent may do there, and its actions. */
export const PlaceItem = ({ place }: { place: PlaceInfo }) => {
  const t = useT();
  const errorWords = useErrorWords();
  const formats = useFormats();
  const offerUndo = useOfferUndo();
  const projects = useApp((app) => app.projects);
  const [editing, setEditing] = useState(false);
  const focus = useFormFocus(editing);
  const [showsCalls, setShowsCalls] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, during] = useBusy();
  const { id, path, options, projectId, policy, state, isProject } = place;
  const project = projects.find((one) => one.id === projectId);
  const problem = state.error === null ? undefined : errorWords(state.error);
  const target = placeTarget(options);
  const check = async () => {
    const result = await call('places.check', { id });
    setError(result.ok ? undefined : result.error.message);
  };
  const remove = async () => {
    const result = await call('places.remove', { id });
    setError(result.ok ? undefined : result.error.message);
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
    <li aria-label={path} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
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
              : t('places.forProject', { project: project?.name ?? '' })}
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
      {error !== undefined && <ErrorNote message={error} />}
      {editing ? (
        <div ref={focus.form}>
          <PlaceForm place={place} onDone={() => setEditing(false)} onCancel={() => setEditing(false)} />
        </div>
      ) : (
        <div className="flex flex-wrap gap-1.5">
          <Button size="sm" busy={busy} onClick={() => void during(check())}>
            {t('places.test')}
          </Button>
          <Button ref={focus.opener} size="sm" onClick={() => setEditing(true)}>
            {t('places.edit')}
          </Button>
          <Button size="sm" aria-expanded={showsCalls} onClick={() => setShowsCalls(!showsCalls)}>
            {t('places.activity')}
          </Button>
          {!isProject && (
            <MoreMenu
              label={t('settings.moreFor', { name: path })}
              items={[{ label: t('places.remove'), danger: true, onSelect: () => void remove() }]}
            />
          )}
        </div>
      )}
      {showsCalls && <PlaceCalls owner={id} name={path} />}
    </li>
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
