import type { ProjectId } from '@contract/ids';
import { DEFAULT_PLACE_POLICY, type PlaceDraft, type PlaceInfo, type PlaceState } from '@contract/places';
import { useRef, useState } from 'react';
import { useErrorWords, useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, Choice, ErrorNote, Field, Input, useBusy } from '../../ui';
import { PlaceStanding } from './place-standing';
import { PolicyFields, type PolicyText, policyOf, textOfPolicy } from './policy-fields';
import { optionsOf, suggestion, TargetFields, type TargetText, textOfTarget } from './target-fields';

interface PlaceFormProps {
  /** Null for a new one. */
  place: PlaceInfo | null;
  onDone(): void;
  onCancel(): void;
}

const ALL = 'all';
const MISSING = {
  folder: 'places.missing_folder',
  ssh: 'places.missing_ssh',
  team: 'places.missing_team',
} as const;

/** Adds or changes a place. It can be tested before it is saved. */
export const PlaceForm = ({ place, onDone, onCancel }: PlaceFormProps) => {
  const t = useT();
  const errorWords = useErrorWords();
  const projects = useApp((app) => app.projects);
  const [target, setTarget] = useState<TargetText>(textOfTarget(place?.options ?? null));
  const [path, setPath] = useState(place?.path ?? '');
  const [scope, setScope] = useState<string>(place === null ? ALL : (place.projectId ?? ALL));
  const [policy, setPolicy] = useState<PolicyText>(textOfPolicy(place?.policy ?? DEFAULT_PLACE_POLICY));
  const [error, setError] = useState<string>();
  const [tested, setTested] = useState<PlaceState>();
  const [busy, during] = useBusy();

  const form = useRef<HTMLFormElement>(null);

  /** Null after reporting what is missing. */
  const draft = (chosenTarget: TargetText): PlaceDraft | null => {
    const options = optionsOf(chosenTarget);
    const mount = mountOf(path === '' ? suggestion(target) : path);
    const chosen = policyOf(policy);
    const wrong =
      options === null
        ? MISSING[target.kind]
        : mount === null
          ? 'places.pathWrong'
          : chosen === null
            ? 'places.limitWrong'
            : undefined;
    setError(wrong && t(wrong));
    if (options === null || mount === null || chosen === null) return null;
    return {
      path: mount,
      options,
      projectId: projects.find(({ id }) => id === scope)?.id ?? null,
      policy: chosen,
    };
  };
  /** Null: the stored one stays. */
  const secret = (): string | null => {
    const field = form.current?.elements.namedItem('secret');
    return field instanceof HTMLInputElement && field.value !== '' ? field.value : null;
  };
  const test = async (chosenTarget = target) => {
    const described = draft(chosenTarget);
    if (described === null) return;
    setTested(undefined);
    const id = place?.id ?? null;
    const result = await call('places.test', { draft: described, secret: secret(), id });
    if (result.ok) setTested(result.value.state);
    else if (result.error.kind !== 'cancelled') setError(result.error.message);
  };
  const trust = (fingerprint: string) => {
    const trusted = { ...target, hostKeys: [...target.hostKeys, fingerprint] };
    setTarget(trusted);
    void during(test(trusted));
  };
  const save = async () => {
    const described = draft(target);
    if (described === null) return;
    const result =
      place === null
        ? await call('places.add', { draft: described, secret: secret() })
        : await call('places.edit', { id: place.id, draft: described, secret: secret() });
    setError(result.ok || result.error.kind === 'cancelled' ? undefined : result.error.message);
    if (result.ok) onDone();
  };
  const problem = tested?.error ? errorWords(tested.error) : undefined;
  const fingerprint = tested?.error?.values?.fingerprint;
  return (
    <form
      ref={form}
      aria-label={place === null ? t('places.addTitle') : t('places.editTitle', { path: place.path })}
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void during(save());
      }}
    >
      <TargetFields target={target} hasSecret={place?.hasSecret === true} onChange={setTarget} />
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('places.path')} hint={t('places.pathHint')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              maxLength={66}
              placeholder={suggestion(target)}
              value={path}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
        <Choice
          label={t('places.scope')}
          value={scope}
          options={[
            { value: ALL, label: t('places.forAll') },
            ...projects.map(({ id, name }: { id: ProjectId; name: string }) => ({ value: id, label: name })),
          ]}
          onChange={setScope}
        />
      </div>
      <PolicyFields policy={policy} onChange={setPolicy} />
      {error !== undefined && <ErrorNote message={error} />}
      {problem !== undefined && (
        <ErrorNote
          tone={typeof fingerprint === 'string' ? 'ask' : 'deny'}
          message={problem.message}
          detail={problem.detail}
          {...(typeof fingerprint === 'string'
            ? {
                actions: (
                  <Button size="sm" onClick={() => trust(fingerprint)}>
                    {t('places.trust')}
                  </Button>
                ),
              }
            : {})}
        />
      )}
      <div className="flex items-center justify-end gap-2">
        {tested !== undefined && <PlaceStanding state={tested} />}
        <span className="grow" />
        <Button variant="ghost" onClick={onCancel}>
          {t('places.cancel')}
        </Button>
        <Button busy={busy} onClick={() => void during(test())}>
          {t('places.test')}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {place === null ? t('places.addButton') : t('places.save')}
        </Button>
      </div>
    </form>
  );
};

/** `docs`, `/docs` and `/docs/` are the same. Null: not a usable name. */
function mountOf(text: string): string | null {
  const name = text.trim().replace(/^\/+|\/+$/gu, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,62}$/u.test(name) ? `/${name}/` : null;
}
