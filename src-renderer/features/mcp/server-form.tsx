import type { McpDraft, McpServer } from '@contract/mcp';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import {
  Button,
  ErrorNote,
  Field,
  FieldError,
  IconButton,
  Input,
  Select,
  Textarea,
  useFault,
  useIsGone,
} from '../../ui';
import { fieldOf, isUnfit, type SecretRow, type ServerField, wrongIn } from './server-faults';

interface ServerFormProps {
  /** Null for a new one. */
  server: McpServer | null;
  /** Somebody removed it while its form was open. Saving adds it again. */
  isGone?: boolean;
  onDone(): void;
  onCancel(): void;
}

/** How a local server is started. `args`: one per line. */
interface Program {
  command: string;
  args: string;
  cwd: string;
}

/**
 * One of the person's own servers. The values of variables and headers are never in React state and are never sent back: an
 * empty field keeps the stored value.
 */
export const ServerForm = ({ server, isGone: isUnlisted = false, onDone, onCancel }: ServerFormProps) => {
  const t = useT();
  const setup = server?.setup ?? null;
  const [name, setName] = useState(server?.name ?? '');
  const [transport, setTransport] = useState<McpDraft['transport']>(setup?.transport ?? 'stdio');
  const [program, setProgram] = useState<Program>({
    command: setup?.command ?? '',
    args: setup?.args.join('\n') ?? '',
    cwd: setup?.cwd ?? '',
  });
  const [url, setUrl] = useState(setup?.url ?? '');
  const [timeout, setTimeout] = useState(String(setup?.timeoutSeconds ?? 60));
  const [rows, setRows] = useState<SecretRow[]>(
    (setup?.secrets ?? []).map((secret, key) => ({ key, name: secret })),
  );
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<ServerField>(form, fieldOf);
  const [isGone, setGone] = useIsGone(server, isUnlisted);
  const stored = setup?.secrets ?? [];
  const isProgram = transport === 'stdio';

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = event.currentTarget;
    const seconds = Number(timeout);
    const wrong = wrongIn(name, rows, seconds);
    setFault(wrong && { field: wrong.field, message: t(wrong.why) });
    if (wrong !== undefined) return;
    setBusy(true);
    const result = await call('mcp.save', {
      draft: {
        name: name.trim(),
        previous: isGone ? null : (server?.name ?? null),
        transport,
        ...program,
        args: program.args === '' ? [] : program.args.split('\n'),
        url,
        secrets: rows.map((row) => secretOf(row, stored, typed)),
        timeoutSeconds: seconds,
      },
    });
    setBusy(false);
    if (!result.ok)
      return result.error.code === 'server_removed_meanwhile' ? setGone() : refused(result.error);
    toast(t('mcp.saved'));
    onDone();
  };

  return (
    <form
      ref={form}
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      onInput={() => setFault(undefined)}
      onSubmit={(event) => void save(event)}
    >
      <NameField name={name} error={at('name')} onChange={setName} />
      <TransportField transport={transport} onChange={setTransport} />
      {isProgram ? (
        <ProgramFields program={program} at={at} onChange={setProgram} />
      ) : (
        <Field label={t('mcp.url')} error={at('url')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              value={url}
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Field>
      )}
      <Secrets
        isProgram={isProgram}
        rows={rows}
        stored={isGone ? [] : stored}
        error={at('secrets')}
        onChange={setRows}
      />
      <TimeoutField timeout={timeout} error={at('timeout')} onChange={setTimeout} />
      {isGone && !busy && <ErrorNote tone="ask" message={t('mcp.removedMeanwhile')} />}
      {fault?.field === null && <ErrorNote message={fault.message} />}
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onCancel}>
          {t('mcp.cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {t('mcp.save')}
        </Button>
      </div>
    </form>
  );
};

interface NameFieldProps {
  name: string;
  error: string | undefined;
  onChange(name: string): void;
}

const NameField = ({ name, error, onChange }: NameFieldProps) => {
  const t = useT();
  return (
    <Field label={t('mcp.name')} hint={t('mcp.nameHint')} error={error}>
      {(ids) => (
        <Input
          {...ids}
          autoFocus
          spellCheck={false}
          maxLength={64}
          value={name}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};

interface TimeoutFieldProps {
  /** Seconds, as typed. */
  timeout: string;
  error: string | undefined;
  onChange(timeout: string): void;
}

const TimeoutField = ({ timeout, error, onChange }: TimeoutFieldProps) => {
  const t = useT();
  return (
    <div className="max-w-40">
      <Field label={t('mcp.timeout')} error={error}>
        {(ids) => (
          <Input
            {...ids}
            value={timeout}
            inputMode="numeric"
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
};

interface TransportFieldProps {
  transport: McpDraft['transport'];
  onChange(transport: McpDraft['transport']): void;
}

const TransportField = ({ transport, onChange }: TransportFieldProps) => {
  const t = useT();
  const transports = (['stdio', 'http', 'sse'] as const).map((value) => ({
    value,
    label: t(`mcp.${value}`),
  }));
  return (
    <Field label={t('mcp.transport')}>
      {(ids) => (
        <Select
          {...ids}
          options={transports}
          value={transport}
          onChange={(event) => {
            const chosen = transports.find(({ value }) => value === event.target.value);
            if (chosen) onChange(chosen.value);
          }}
        />
      )}
    </Field>
  );
};

/** A variable or header as it is sent: null keeps the stored value, which the main process misses if the server is gone. */
function secretOf(
  { key, name }: SecretRow,
  stored: readonly string[],
  { elements }: HTMLFormElement,
): McpDraft['secrets'][number] {
  const field = elements.namedItem(`secret-${key}`);
  const value = field instanceof HTMLInputElement ? field.value : '';
  return { name: name.trim(), value: stored.includes(name) && value === '' ? null : value };
}

interface ProgramFieldsProps {
  program: Program;
  /** What is wrong with a field. */
  at(field: ServerField): string | undefined;
  onChange(program: Program): void;
}

const ProgramFields = ({ program, at, onChange }: ProgramFieldsProps) => {
  const t = useT();
  return (
    <>
      <Field label={t('mcp.command')} hint={t('mcp.commandHint')} error={at('command')}>
        {(ids) => (
          <Input
            {...ids}
            mono
            spellCheck={false}
            value={program.command}
            onChange={(event) => onChange({ ...program, command: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('mcp.args')} hint={t('mcp.argsHint')} error={at('args')}>
        {(ids) => (
          <Textarea
            {...ids}
            mono
            rows={3}
            maxHeight={160}
            value={program.args}
            onChange={(event) => onChange({ ...program, args: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('mcp.cwd')} hint={t('mcp.cwdHint')}>
        {(ids) => (
          <Input
            {...ids}
            mono
            spellCheck={false}
            value={program.cwd}
            onChange={(event) => onChange({ ...program, cwd: event.target.value })}
          />
        )}
      </Field>
    </>
  );
};

interface SecretsProps {
  isProgram: boolean;
  rows: readonly SecretRow[];
  /** Names with a stored value. */
  stored: readonly string[];
  error: string | undefined;
  onChange(rows: SecretRow[]): void;
}

/** A program's variables, or a server's headers. Their values stay in the fields. */
const Secrets = ({ isProgram, rows, stored, error, onChange }: SecretsProps) => {
  const t = useT();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 font-medium">{t(isProgram ? 'mcp.variables' : 'mcp.headers')}</legend>
      {rows.map((row, index) => (
        <div key={row.key} className="flex items-center gap-1.5">
          <Input
            mono
            spellCheck={false}
            aria-label={t('mcp.secretName', { number: index + 1 })}
            aria-invalid={error !== undefined && isUnfit(row, rows)}
            value={row.name}
            onChange={(event) => onChange(rows.with(index, { ...row, name: event.target.value }))}
          />
          <Input
            type="password"
            name={`secret-${row.key}`}
            autoComplete="off"
            spellCheck={false}
            aria-label={t('mcp.secretValue', { name: row.name })}
            // A stored value belongs to its name, so a new name does not keep it.
            placeholder={stored.includes(row.name) ? t('mcp.secretKept') : ''}
          />
          <IconButton
            label={t('mcp.secretRemove', { name: row.name })}
            icon={<X size={14} />}
            onClick={() => onChange(rows.filter((other) => other !== row))}
          />
        </div>
      ))}
      {error !== undefined && <FieldError>{error}</FieldError>}
      <div>
        <Button
          size="sm"
          icon={<Plus size={14} />}
          onClick={() =>
            onChange([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '' }])
          }
        >
          {t('mcp.secretAdd')}
        </Button>
      </div>
      <p className="text-small text-fg-3">{t('mcp.secretsHint', { example: EXAMPLE })}</p>
    </fieldset>
  );
};

/** How a value refers to an environment variable. */
const EXAMPLE = ['$', '{NAME}'].join('');
