import type { Rule, RuleDraft, RuleMatch, RulePreview, RuleScope } from '@contract/control';
import type { ErrorCode } from '@contract/errors';
import type { ProjectId } from '@contract/ids';
import { useEffect, useRef, useState } from 'react';
import { useReasons, useT } from '../../../i18n';
import { call } from '../../../link';
import {
  Button,
  ErrorNote,
  Field,
  fieldsByCode,
  Input,
  Select,
  useBusy,
  useFault,
  useIsGone,
} from '../../../ui';
import { joinWords, splitWords } from '../words';
import { RulePreviewView } from './rule-preview-view';

interface RuleFormProps {
  /** The rule to narrow; absent for a new one. */
  rule?: Rule;
  /** Somebody revoked it while its form was open. Saving adds it again. */
  isGone?: boolean;
  projectId: ProjectId;
  onDone(): void;
}

const fieldOf = fieldsByCode({ rule_refused: 'text' } as const satisfies Partial<Record<ErrorCode, 'text'>>);

/** Milliseconds without typing before the rule's effect is looked up. */
const LOOK_AFTER = 250;

interface Previewed {
  preview?: RulePreview;
  /** Why there is none. */
  error?: string;
}

/** What the rule would have decided so far, once typing pauses. */
function usePreview(draft: RuleDraft | undefined): Previewed {
  const [previewed, setPreviewed] = useState<Previewed>({});
  const asked = draft === undefined ? '' : JSON.stringify(draft);
  useEffect(() => {
    setPreviewed({});
    if (asked === '') return;
    let wanted = true;
    const timer = setTimeout(() => {
      void call('rules.preview', JSON.parse(asked) as RuleDraft).then((result) => {
        if (wanted) setPreviewed(result.ok ? { preview: result.value } : { error: result.error.message });
      });
    }, LOOK_AFTER);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return previewed;
}

/** Creates or narrows a rule, and shows what it would have decided so far. */
export const RuleForm = ({ rule, isGone: isUnlisted = false, projectId, onDone }: RuleFormProps) => {
  const t = useT();
  const [effect, setEffect] = useState<RuleDraft['effect']>(rule?.effect ?? 'allow');
  const [kind, setKind] = useState<RuleMatch['kind']>(rule?.match.kind ?? 'command');
  const [text, setText] = useState(rule === undefined ? '' : textOf(rule.match));
  const [exact, setExact] = useState(rule?.match.kind === 'command' && rule.match.exact);
  const [scope, setScope] = useState<RuleScope>(rule?.scope ?? { kind: 'project', projectId });
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<'text'>(form, fieldOf);
  const [isGone, setGone] = useIsGone(rule ?? null, isUnlisted);
  const [busy, during] = useBusy();
  const match = matchOf(kind, text, exact, effect);
  const draft: RuleDraft | undefined = match === undefined ? undefined : { effect, match, scope };
  const reasons = useReasons();
  const { preview, error } = usePreview(draft);
  const wrong = preview?.refused == null ? error : reasons.sentences([preview.refused]);

  const save = async () => {
    if (draft === undefined || preview === undefined || preview.refused !== null) return;
    const result = await during(
      call('rules.save', rule === undefined || isGone ? { draft } : { draft, replaces: rule.id }),
    );
    if (result.ok) onDone();
    else if (result.error.code === 'rule_gone') setGone();
    else refused(result.error);
  };
  return (
    <form
      ref={form}
      className="flex flex-col gap-2.5 rounded-card border border-line p-3"
      onChange={() => setFault(undefined)}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {rule === undefined && (
        <div className="flex gap-2">
          <Select
            aria-label={t('approvals.ruleEffect')}
            value={effect}
            options={[
              { value: 'allow', label: t('approvals.ruleAllow') },
              { value: 'deny', label: t('approvals.ruleDeny') },
            ]}
            onChange={(event) => setEffect(event.target.value === 'deny' ? 'deny' : 'allow')}
          />
          <Select
            aria-label={t('approvals.ruleKind')}
            value={kind}
            options={KINDS.map((one) => ({ value: one, label: t(kindNames[one]) }))}
            onChange={(event) => setKind(KINDS.find((one) => one === event.target.value) ?? 'command')}
          />
        </div>
      )}
      <Field
        label={t(kindLabels[kind])}
        hint={kind === 'command' ? t('approvals.ruleWordsHint') : undefined}
        error={at('text') ?? wrong}
      >
        {(ids) => (
          <Input
            {...ids}
            mono
            spellCheck={false}
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {kind === 'command' && (
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={exact} onChange={(event) => setExact(event.target.checked)} />
          {t('approvals.ruleExact')}
        </label>
      )}
      {scope.kind !== 'thread' && <ScopeField scope={scope} projectId={projectId} onChange={setScope} />}
      {preview?.refused === null && <RulePreviewView preview={preview} effect={effect} />}
      {/* The saved rule has another id, so the old one goes first. */}
      {isGone && !busy && <ErrorNote tone="ask" message={t('approvals.ruleRemovedMeanwhile')} />}
      {fault?.field === null && <ErrorNote message={fault.message} />}
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onDone}>
          {t('approvals.back')}
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={preview === undefined || preview.refused !== null}
        >
          {t('approvals.saveRule')}
        </Button>
      </div>
    </form>
  );
};

interface ScopeFieldProps {
  scope: RuleScope;
  projectId: ProjectId;
  onChange(scope: RuleScope): void;
}

const ScopeField = ({ scope, projectId, onChange }: ScopeFieldProps) => {
  const t = useT();
  return (
    <Field label={t('approvals.alwaysWhere')}>
      {(ids) => (
        <Select
          {...ids}
          value={scope.kind}
          options={[
            { value: 'project', label: t('approvals.scopeProject') },
            { value: 'person', label: t('approvals.scopePerson') },
          ]}
          onChange={(event) =>
            onChange(event.target.value === 'person' ? { kind: 'person' } : { kind: 'project', projectId })
          }
        />
      )}
    </Field>
  );
};

const KINDS = ['command', 'path', 'tool', 'host', 'web'] as const;
const kindNames = {
  command: 'approvals.kindCommand',
  path: 'approvals.kindPath',
  tool: 'approvals.kindTool',
  host: 'approvals.kindHost',
  web: 'approvals.kindWeb',
} as const;
const kindLabels = {
  command: 'approvals.ruleWords',
  path: 'approvals.ruleGlob',
  tool: 'approvals.ruleTool',
  host: 'approvals.ruleHost',
  web: 'approvals.ruleHost',
} as const;

function textOf(match: RuleMatch): string {
  if (match.kind === 'command') return joinWords(match.words);
  if (match.kind === 'host' || match.kind === 'web') return match.host;
  return match.kind === 'path' ? match.glob : match.tool;
}

function matchOf(
  kind: RuleMatch['kind'],
  text: string,
  exact: boolean,
  effect: RuleDraft['effect'],
): RuleMatch | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  switch (kind) {
    case 'command':
      return { kind, words: splitWords(trimmed), exact };
    case 'path':
      return {
        kind,
        changes: effect === 'deny' ? ['write', 'edit', 'delete'] : ['write', 'edit'],
        glob: trimmed,
      };
    case 'tool':
      return { kind, tool: trimmed };
    case 'host':
    case 'web':
      return { kind, host: trimmed };
    default:
      return kind satisfies never;
  }
}
