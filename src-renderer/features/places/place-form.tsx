import { accountOf, type PlaceDraft, type PlaceInfo, type PlaceState } from '@contract/places';
import type { Answer } from '@contract/result';
import { useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, scopeOptions, useApp } from '../../link';
import { Button, Choice, ErrorNote, Field, Input, typedSecret, useBusy, useFault, useIsGone } from '../../ui';
import { ConnectError } from './connect-error';
import { draftOf, fieldOf, type PlaceField, type PlaceText, textOfPlace } from './place-draft';
import { PlaceStanding } from './place-standing';
import { PolicyFields } from './policy-fields';
import { RemoteFields, type StoredSecret, TargetFields } from './target-fields';
import { optionsOf, suggestion } from './target-text';

interface PlaceFormProps {
  /** Null for a new one. */
  place: PlaceInfo | null;
  /** Somebody removed it while its form was open. Saving adds it again. */
  isGone?: boolean;
  onDone(): void;
  onCancel(): void;
}

interface TargetProps {
  text: PlaceText;
  stored: StoredSecret;
  at(field: PlaceField): string | undefined;
  onChange(part: Partial<PlaceText>): void;
}

/** Adds or changes a place. It can be tested before it is saved. */
export const PlaceForm = ({ place, isGone: isUnlisted = false, onDone, onCancel }: PlaceFormProps) => {
  const t = useT();
  const [text, setText] = useState<PlaceText>(() => textOfPlace(place));
  /** Counts the changes: a test says nothing about what was changed since. */
  const [edits, setEdits] = useState(0);
  const [lastTest, setLastTest] = useState<{ edits: number; state: PlaceState }>();
  const tested = lastTest?.edits === edits ? lastTest.state : undefined;
  const [busy, during] = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<PlaceField>(form, fieldOf);
  const [isGone, setGone] = useIsGone(place, isUnlisted);
  const id = isGone ? null : (place?.id ?? null);
  const edited = () => {
    setFault(undefined);
    setEdits((count) => count + 1);
  };
  const change = (part: Partial<PlaceText>) => {
    edited();
    setText((now) => ({ ...now, ...part }));
  };

  /** Null after reporting what is missing. */
  const draft = (typed: PlaceText) => {
    const made = draftOf(typed);
    setFault('wrong' in made ? { field: made.wrong.field, message: t(made.wrong.why) } : undefined);
    return 'wrong' in made ? null : made.draft;
  };
  const test = async (typed = text) => {
    const described = draft(typed);
    if (described === null) return;
    setLastTest(undefined);
    const secret = typedSecret(form.current);
    const result = await call('places.test', { draft: described, secret, id });
    if (result.ok) setLastTest({ edits, state: result.value.state });
    else refused(result.error);
  };
  const trust = (fingerprint: string) => {
    const { target } = text;
    const trusting = { ...text, target: { ...target, hostKeys: [...target.hostKeys, fingerprint] } };
    setText(trusting);
    void during(test(trusting));
  };
  const save = async () => {
    const described = draft(text);
    if (described === null) return;
    const result = await saved(place, isGone, described, typedSecret(form.current));
    if (result.ok) onDone();
    else if (result.error.code === 'place_gone') setGone();
    else refused(result.error);
  };
  return (
    <form
      ref={form}
      aria-label={place === null ? t('places.addTitle') : t('places.editTitle', { path: place.path })}
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      // A password is in no state.
      onInput={edited}
      onSubmit={(event) => {
        event.preventDefault();
        void during(save());
      }}
    >
      <Target text={text} stored={storedFor(place, isGone, text)} at={at} onChange={change} />
      <PolicyFields policy={text.policy} at={at} onChange={(policy) => change({ policy })} />
      {isGone && (
        <ErrorNote
          tone="ask"
          message={t(text.isProject ? 'places.projectRemovedMeanwhile' : 'places.removedMeanwhile')}
        />
      )}
      {fault?.field === null && <ErrorNote message={fault.message} />}
      {tested?.error != null && <ConnectError error={tested.error} onTrust={trust} />}
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

async function saved(
  place: PlaceInfo | null,
  isGone: boolean,
  draft: PlaceDraft,
  secret: string | null,
): Promise<Answer<object>> {
  const { options, policy } = draft;
  if (place?.isProject === true && (options.kind === 'ssh' || options.kind === 'container')) {
    // The folder of a project is there again with its project.
    const restored = isGone ? await restoredProject(place) : null;
    if (restored?.ok === false) return restored;
    return call('places.editProject', { id: place.id, options, policy, secret });
  }
  if (place === null || isGone) return call('places.add', { draft, secret });
  return call('places.edit', { id: place.id, draft, secret });
}

const restoredProject = async ({ projectId }: PlaceInfo): Promise<Answer<object> | null> =>
  projectId === null ? null : call('project.restore', { projectId });

/** An address that is not complete yet counts as the old one. */
function storedFor(place: PlaceInfo | null, isGone: boolean, { target, isProject }: PlaceText): StoredSecret {
  if (place?.hasSecret !== true) return 'none';
  // That of a project comes back with it.
  if (isGone && !isProject) return 'gone';
  const options = optionsOf(target);
  return options === null || accountOf(options) === accountOf(place.options) ? 'kept' : 'other';
}

/** What the place is and where the agent finds it. The folder of a project stays what it is. */
const Target = ({ text, stored, at, onChange }: TargetProps) => {
  const projects = useApp((app) => app.projects);
  const fields = {
    target: text.target,
    stored,
    at,
    onChange: (target: PlaceText['target']) => onChange({ target }),
  };
  if (text.isProject) return <RemoteFields {...fields} isFixed />;
  return (
    <>
      <TargetFields {...fields} projectId={projects.find(({ id }) => id === text.scope)?.id ?? null} />
      <MountFields text={text} error={at('path')} onChange={onChange} />
    </>
  );
};

/** Where the agent finds the place, and which projects have it. */
const MountFields = ({
  text,
  error,
  onChange,
}: Pick<TargetProps, 'text' | 'onChange'> & { error: string | undefined }) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('places.path')} hint={t('places.pathHint')} error={error}>
        {(ids) => (
          <Input
            {...ids}
            mono
            spellCheck={false}
            maxLength={66}
            placeholder={suggestion(text.target)}
            value={text.path}
            onChange={(event) => onChange({ path: event.target.value })}
          />
        )}
      </Field>
      <Choice
        label={t('places.scope')}
        value={text.scope}
        options={scopeOptions(projects, text.scope, {
          all: t('places.forAll'),
          removed: t('places.removedProject'),
        })}
        onChange={(scope) => onChange({ scope })}
      />
    </div>
  );
};
