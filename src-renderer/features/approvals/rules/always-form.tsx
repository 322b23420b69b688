import type { Approval } from '@contract/approvals';
import type { RuleDraft, RuleMatch, RuleScope } from '@contract/control';
import type { ProjectId } from '@contract/ids';
import { ruleText } from '@contract/rule-text';
import { useId, useState } from 'react';
import { useReasons, useT } from '../../../i18n';
import { call, useAnswer, useApp } from '../../../link';
import { ErrorNote, Field, LoadFailed, Select } from '../../../ui';
import { FORM_BAR, KeyButton, sendKeys, sendsForm } from '../key-button';
import { firstChoice } from '../outcome/outcome-choices';
import { RulePreviewView } from './rule-preview-view';

interface AlwaysFormProps {
  approval: Approval;
  busy: boolean;
  /** Called when the rule is saved, so the call may run. */
  onSaved(): void;
  onBack(): void;
}

/** Focuses the first choice, so that the save key works immediately. */
const focusFirst = (choices: HTMLFieldSetElement | null) => choices?.querySelector('input')?.focus();

const SCOPES = ['thread', 'project', 'person'] as const;

type ScopeKind = (typeof SCOPES)[number];

const ScopeField = ({ scope, onChange }: { scope: ScopeKind; onChange(scope: ScopeKind): void }) => {
  const t = useT();
  return (
    <Field label={t('approvals.alwaysWhere')}>
      {(ids) => (
        <Select
          {...ids}
          value={scope}
          options={[
            { value: 'thread', label: t('approvals.scopeThread') },
            { value: 'project', label: t('approvals.scopeProject') },
            { value: 'person', label: t('approvals.scopePerson') },
          ]}
          onChange={(event) => onChange(SCOPES.find((one) => one === event.target.value) ?? 'thread')}
        />
      )}
    </Field>
  );
};

/** Turns one call into a rule: what it covers, where it applies, and what it would have allowed so far. */
export const AlwaysForm = ({ approval, busy, onSaved, onBack }: AlwaysFormProps) => {
  const t = useT();
  const id = useId();
  const mac = useApp((app) => app.platform === 'darwin');
  const { threadId } = approval;
  const isHighRisk = approval.risk === 'high';
  const projectId = useApp((app) => app.threads.find((one) => one.id === threadId)?.projectId);
  const [chosen, setChosen] = useState(0);
  const [scope, setScope] = useState<ScopeKind>('thread');
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  const reasons = useReasons();
  const suggested = useAnswer('rules.suggest', { threadId, approvalId: approval.id });
  const suggestion = suggested.answer.phase === 'loaded' ? suggested.answer.value : undefined;
  const matches = suggestion?.refused === null ? suggestion.matches : undefined;
  const draft = draftOf(matches?.[chosen], scopeOf(scope, approval, projectId));
  const previewed = useAnswer('rules.preview', draft ?? null);
  const preview = previewed.answer.phase === 'loaded' ? previewed.answer.value : undefined;
  const save = async () => {
    if (draft === undefined || preview === undefined || preview.refused !== null) return;
    setSaving(true);
    const result = await call('rules.save', { draft });
    setSaving(false);
    if (result.ok) onSaved();
    else setError(result.error.kind === 'cancelled' ? undefined : result.error.message);
  };
  return (
    <form
      className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5"
      onKeyDown={(event) => sendsForm(event, isHighRisk ? 'never' : 'browser') && void save()}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {matches !== undefined && (
        <fieldset ref={focusFirst} className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">{t('approvals.alwaysWhat')}</legend>
          {matches.map((one, index) => (
            <label key={ruleText(one)} className="flex items-baseline gap-2">
              <input
                type="radio"
                name={`${id}-match`}
                checked={index === chosen}
                onChange={() => setChosen(index)}
              />
              <code className="min-w-0 font-mono text-code wrap-anywhere">{ruleText(one)}</code>
            </label>
          ))}
        </fieldset>
      )}
      {matches !== undefined && approval.outcome !== undefined && (
        <p className="text-small text-fg-2">{t('outcome.alwaysHint')}</p>
      )}
      {matches !== undefined && <ScopeField scope={scope} onChange={setScope} />}
      {suggestion?.refused != null && <ErrorNote message={reasons.sentences([suggestion.refused])} />}
      {[suggested, previewed].map(
        ({ answer, reload }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies what could not be loaded
          answer.phase === 'failed' && <LoadFailed key={index} error={answer.error} onRetry={reload} />,
      )}
      {preview && <RulePreviewView preview={preview} effect="allow" />}
      {error !== undefined && <ErrorNote message={error} />}
      <div className={FORM_BAR}>
        <KeyButton keys="Esc" variant="ghost" onClick={onBack}>
          {t('approvals.back')}
        </KeyButton>
        {matches !== undefined && (
          <KeyButton
            keys={isHighRisk ? sendKeys(mac) : '↵'}
            type="submit"
            variant="primary"
            busy={busy || saving}
            disabled={preview === undefined || preview.refused !== null}
          >
            {t(saveKey(approval))}
          </KeyButton>
        )}
      </div>
    </form>
  );
};

function saveKey(approval: Approval) {
  const { outcome } = approval;
  if (outcome === undefined) return 'approvals.saveAlways' as const;
  return firstChoice(approval, outcome) === 'keep'
    ? ('outcome.saveAndKeep' as const)
    : ('outcome.saveAndRun' as const);
}

function scopeOf(
  scope: (typeof SCOPES)[number],
  { threadId }: Approval,
  projectId: ProjectId | undefined,
): RuleScope | undefined {
  if (scope === 'thread') return { kind: 'thread', threadId };
  if (scope === 'person') return { kind: 'person' };
  return projectId === undefined ? undefined : { kind: 'project', projectId };
}

const draftOf = (match: RuleMatch | undefined, scope: RuleScope | undefined): RuleDraft | undefined =>
  match === undefined || scope === undefined ? undefined : { effect: 'allow', match, scope };
