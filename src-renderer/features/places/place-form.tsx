import type { ProjectId } from '@contract/ids';
import { DEFAULT_PLACE_POLICY, type PlaceDraft, type PlaceInfo, type PlaceState } from '@contract/places';
import { useState } from 'react';
import { useErrorWords, useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, Choice, ErrorNote, Field, Input, useBusy } from '../../ui';
import { PlaceStanding } from './place-standing';
import { PolicyFields, type PolicyText, policyOf, textOfPolicy } from './policy-fields';

interface PlaceFormProps {
  /** Null for a new one. */
  place: PlaceInfo | null;
  onDone(): void;
  onCancel(): void;
}

const ALL = 'all';

/** Adds or changes a place. It can be tested before it is saved. */
export const PlaceForm = ({ place, onDone, onCancel }: PlaceFormProps) => {
  const t = useT();
  const errorWords = useErrorWords();
  const projects = useApp((app) => app.projects);
  const [folder, setFolder] = useState(place?.options.folder ?? '');
  const [path, setPath] = useState(place?.path ?? '');
  const [scope, setScope] = useState<string>(place === null ? ALL : (place.projectId ?? ALL));
  const [policy, setPolicy] = useState<PolicyText>(textOfPolicy(place?.policy ?? DEFAULT_PLACE_POLICY));
  const [error, setError] = useState<string>();
  const [tested, setTested] = useState<PlaceState>();
  const [busy, during] = useBusy();

  /** Null after reporting what is missing. */
  const draft = (): PlaceDraft | null => {
    const mount = mountOf(path === '' ? suggestion(folder) : path);
    const chosen = policyOf(policy);
    const wrong =
      folder.trim() === ''
        ? 'places.folderMissing'
        : mount === null
          ? 'places.pathWrong'
          : chosen === null
            ? 'places.limitWrong'
            : undefined;
    setError(wrong && t(wrong));
    if (mount === null || chosen === null || wrong !== undefined) return null;
    return {
      path: mount,
      options: { kind: 'folder', folder: folder.trim() },
      projectId: projects.find(({ id }) => id === scope)?.id ?? null,
      policy: chosen,
    };
  };
  const test = async () => {
    const described = draft();
    if (described === null) return;
    const result = await call('places.test', { draft: described, secret: null, id: place?.id ?? null });
    if (result.ok) setTested(result.value.state);
    else setError(result.error.message);
  };
  const save = async () => {
    const described = draft();
    if (described === null) return;
    const result =
      place === null
        ? await call('places.add', { draft: described, secret: null })
        : await call('places.edit', { id: place.id, draft: described, secret: null });
    setError(result.ok || result.error.kind === 'cancelled' ? undefined : result.error.message);
    if (result.ok) onDone();
  };
  const problem = tested?.error ? errorWords(tested.error) : undefined;
  return (
    <form
      aria-label={place === null ? t('places.addTitle') : t('places.editTitle', { path: place.path })}
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void during(save());
      }}
    >
      <FolderField folder={folder} onChange={setFolder} />
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('places.path')} hint={t('places.pathHint')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              maxLength={66}
              placeholder={suggestion(folder)}
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
      {problem !== undefined && <ErrorNote message={problem.message} detail={problem.detail} />}
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

const FolderField = ({ folder, onChange }: { folder: string; onChange(folder: string): void }) => {
  const t = useT();
  const choose = async () => {
    const result = await call('places.chooseFolder', {});
    if (result.ok && result.value.folder !== null) onChange(result.value.folder);
  };
  return (
    <Field label={t('places.folder')}>
      {(ids) => (
        <div className="flex gap-2">
          <Input
            {...ids}
            mono
            autoFocus
            spellCheck={false}
            value={folder}
            onChange={(event) => onChange(event.target.value)}
          />
          <Button onClick={() => void choose()}>{t('places.choose')}</Button>
        </div>
      )}
    </Field>
  );
};

/** The last name of a folder as a mount. */
function suggestion(folder: string): string {
  const name =
    folder
      .trim()
      .split(/[\\/]+/u)
      .findLast((part) => part !== '') ?? '';
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  return plain === '' ? '/docs/' : `/${plain.toLowerCase()}/`;
}

/** `docs`, `/docs` and `/docs/` are the same. Null: not a usable name. */
function mountOf(text: string): string | null {
  const name = text.trim().replace(/^\/+|\/+$/gu, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,62}$/u.test(name) ? `/${name}/` : null;
}
