import { type RemoteAgentInfo, serverOfAgent } from '@contract/agents';
import { useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, scopeOptions, useApp } from '../../link';
import {
  Button,
  Choice,
  ErrorNote,
  Field,
  Input,
  typedSecret,
  useBusy,
  useFault,
  useIsGone,
  withScheme,
} from '../../ui';
import {
  type AgentField,
  type AgentText,
  draftOf,
  fieldOf,
  isOpenToOthers,
  textOfAgent,
} from './agent-draft';

interface AgentFormProps {
  /** Null for a new one. */
  agent: RemoteAgentInfo | null;
  /** Somebody removed it while its form was open. Saving adds it again. */
  isGone?: boolean;
  /** Keys are kept after Deepdesk exits. */
  keychain: boolean;
  onDone(): void;
  onCancel(): void;
}

/** Adds or changes a remote agent. It can be tested before it is saved. */
export const AgentForm = ({
  agent,
  isGone: isUnlisted = false,
  keychain,
  onDone,
  onCancel,
}: AgentFormProps) => {
  const t = useT();
  const [text, setText] = useState(() => textOfAgent(agent));
  /** Counts the changes: a test says nothing about what was changed since. */
  const [edits, setEdits] = useState(0);
  const [workedAt, setWorkedAt] = useState<number>();
  const [busy, during] = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<AgentField>(form, fieldOf);
  const [isGone, setGone] = useIsGone(agent, isUnlisted);
  const id = isGone ? null : (agent?.id ?? null);
  const edited = () => {
    setFault(undefined);
    setEdits((count) => count + 1);
  };
  const change = (part: Partial<AgentText>) => {
    edited();
    setText((now) => ({ ...now, ...part }));
  };

  /** Null after reporting what is wrong. */
  const draft = () => {
    const made = draftOf(text);
    setFault('wrong' in made ? { field: made.wrong.field, message: t(made.wrong.why) } : undefined);
    return 'wrong' in made ? null : made.draft;
  };
  const test = async () => {
    setWorkedAt(undefined);
    const described = draft();
    if (described === null) return;
    const secret = typedSecret(form.current);
    const result = await call('agents.test', { draft: described, secret, id });
    if (result.ok) setWorkedAt(edits);
    else refused(result.error);
  };
  const save = async () => {
    const described = draft();
    if (described === null) return;
    const secret = typedSecret(form.current);
    const result =
      id === null
        ? await call('agents.add', { draft: described, secret })
        : await call('agents.edit', { id, draft: described, secret });
    if (result.ok) onDone();
    else if (result.error.code === 'remote_agent_gone') setGone();
    else refused(result.error);
  };
  return (
    <form
      ref={form}
      aria-label={agent === null ? t('agents.addTitle') : t('agents.editTitle', { name: agent.name })}
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      // A key is in no state.
      onInput={edited}
      onSubmit={(event) => {
        event.preventDefault();
        void during(save());
      }}
    >
      <Fields text={text} at={at} onChange={change} />
      <KeyFields agent={agent} isGone={isGone} text={text} keychain={keychain} onChange={change} />
      {isOpenToOthers(text.address) && <ErrorNote tone="ask" message={t('agents.unencrypted')} />}
      {isGone && <ErrorNote tone="ask" message={t('agents.removedMeanwhile')} />}
      {fault?.field === null && <ErrorNote message={fault.message} />}
      <div className="flex items-center justify-end gap-2">
        {workedAt === edits && (
          <span role="status" className="text-small text-ok">
            {t('agents.works')}
          </span>
        )}
        <span className="grow" />
        <Button variant="ghost" onClick={onCancel}>
          {t('agents.cancel')}
        </Button>
        <Button busy={busy} onClick={() => void during(test())}>
          {t('agents.test')}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {agent === null ? t('agents.addButton') : t('agents.save')}
        </Button>
      </div>
    </form>
  );
};

interface FieldsProps {
  text: AgentText;
  onChange(part: Partial<AgentText>): void;
}

/** What the agent is, where it is, and which projects have it. */
const Fields = ({ text, at, onChange }: FieldsProps & { at(field: AgentField): string | undefined }) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('agents.name')} hint={t('agents.nameHint')} error={at('name')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              maxLength={50}
              placeholder={t('agents.nameExample')}
              value={text.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
        <Choice
          label={t('agents.scope')}
          value={text.scope}
          options={scopeOptions(projects, text.scope, {
            all: t('agents.forAll'),
            removed: t('agents.removedProject'),
          })}
          onChange={(scope) => onChange({ scope })}
        />
      </div>
      <Field label={t('agents.purpose')} error={at('description')}>
        {(ids) => (
          <Input
            {...ids}
            maxLength={1_000}
            placeholder={t('agents.purposeExample')}
            value={text.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('agents.address')} error={at('address')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              maxLength={2_000}
              placeholder={t('agents.addressExample')}
              value={text.address}
              onChange={(event) => onChange({ address: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('agents.graph')} error={at('graph')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              maxLength={200}
              placeholder={t('agents.graphExample')}
              value={text.graph}
              onChange={(event) => onChange({ graph: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  );
};

const HEADERS = ['x-api-key', 'authorization'] as const;

/** The key, and the header that carries it. */
const KeyFields = ({
  agent,
  isGone,
  text,
  keychain,
  onChange,
}: FieldsProps & { agent: RemoteAgentInfo | null; isGone: boolean; keychain: boolean }) => {
  const t = useT();
  const address = withScheme(text.address.trim());
  const isSame = agent !== null && serverOfAgent(agent) === serverOfAgent({ ...text, address });
  const stored = agent?.hasSecret !== true ? 'keyHint' : isGone ? 'keyGone' : isSame ? 'keyKept' : 'keyOther';
  const hint = t(`agents.${stored}`);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field
        label={t('agents.key')}
        hint={keychain ? hint : t('app.sentences', { first: hint, second: t('agents.keySession') })}
      >
        {(ids) => <Input {...ids} name="secret" type="password" mono autoComplete="off" spellCheck={false} />}
      </Field>
      <Choice
        label={t('agents.header')}
        value={text.header}
        options={HEADERS.map((value) => ({ value, label: t(`agents.header_${value}`) }))}
        onChange={(header) => onChange({ header })}
      />
    </div>
  );
};
