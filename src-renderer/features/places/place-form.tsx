import type { PlaceInfo, PlaceState } from '@contract/places';
import { optional } from '@contract/shared/optional';
import { useRef, useState } from 'react';
import { useErrorWords, useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, Choice, ErrorNote, Field, Input, useBusy } from '../../ui';
import { ALL_PROJECTS, draftOf, type PlaceText, textOfPlace } from './place-draft';
import { PlaceStanding } from './place-standing';
import { PolicyFields } from './policy-fields';
import { TargetFields } from './target-fields';
import { suggestion } from './target-text';

interface PlaceFormProps {
  /** Null for a new one. */
  place: PlaceInfo | null;
  onDone(): void;
  onCancel(): void;
}

/** Adds or changes a place. It can be tested before it is saved. */
export const PlaceForm = ({ place, onDone, onCancel }: PlaceFormProps) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const [text, setText] = useState<PlaceText>(() => textOfPlace(place));
  const [error, setError] = useState<string>();
  const [tested, setTested] = useState<PlaceState>();
  const [busy, during] = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<PlaceText>) => setText({ ...text, ...part });

  /** Null after reporting what is missing. */
  const draft = (typed: PlaceText) => {
    const made = draftOf(typed, projects);
    setError('wrong' in made ? t(made.wrong) : undefined);
    return 'wrong' in made ? null : made.draft;
  };
  const test = async (typed = text) => {
    const described = draft(typed);
    if (described === null) return;
    setTested(undefined);
    const secret = secretIn(form.current);
    const result = await call('places.test', { draft: described, secret, id: place?.id ?? null });
    if (result.ok) setTested(result.value.state);
    else if (result.error.kind !== 'cancelled') setError(result.error.message);
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
    const sent = { draft: described, secret: secretIn(form.current) };
    const result =
      place === null ? await call('places.add', sent) : await call('places.edit', { id: place.id, ...sent });
    setError(result.ok || result.error.kind === 'cancelled' ? undefined : result.error.message);
    if (result.ok) onDone();
  };
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
      <TargetFields
        target={text.target}
        hasSecret={place?.hasSecret === true}
        onChange={(target) => change({ target })}
      />
      <MountFields text={text} onChange={change} />
      <PolicyFields policy={text.policy} onChange={(policy) => change({ policy })} />
      {error !== undefined && <ErrorNote message={error} />}
      {tested !== undefined && <TestProblem tested={tested} onTrust={trust} />}
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

/** What was typed as password or key. Null: the stored one stays. */
function secretIn(form: HTMLFormElement | null): string | null {
  const field = form?.elements.namedItem('secret');
  return field instanceof HTMLInputElement && field.value !== '' ? field.value : null;
}

/** Where the agent finds the place, and which projects have it. */
const MountFields = ({ text, onChange }: { text: PlaceText; onChange(part: Partial<PlaceText>): void }) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('places.path')} hint={t('places.pathHint')}>
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
        options={[
          { value: ALL_PROJECTS, label: t('places.forAll') },
          ...projects.map(({ id, name }) => ({ value: id as string, label: name })),
        ]}
        onChange={(scope) => onChange({ scope })}
      />
    </div>
  );
};

/** Why a test failed. The key of an unknown host can be trusted here. */
const TestProblem = ({ tested, onTrust }: { tested: PlaceState; onTrust(fingerprint: string): void }) => {
  const t = useT();
  const errorWords = useErrorWords();
  if (tested.error === null) return null;
  const { message, detail } = errorWords(tested.error);
  const fingerprint = tested.error.values?.fingerprint;
  const trust =
    typeof fingerprint === 'string' ? (
      <Button size="sm" onClick={() => onTrust(fingerprint)}>
        {t('places.trust')}
      </Button>
    ) : undefined;
  return (
    <ErrorNote
      tone={trust === undefined ? 'deny' : 'ask'}
      message={message}
      detail={detail}
      {...optional({ actions: trust })}
    />
  );
};
