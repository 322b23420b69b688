import type { McpDraft, McpServer } from '@contract/mcp';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { Button, ErrorNote, Field, IconButton, Input, Select, Textarea } from '../../ui';

interface ServerFormProps {
  /** Null for a new one. */
  server: McpServer | null;
  onDone(): void;
  onCancel(): void;
}

/** A variable or header. `kept`: it has a value already, which stays unless another is typed. */
interface Row {
  key: number;
  name: string;
  kept: boolean;
}

/**
 * A server of the person's own. Values of variables and headers are never in React's state and never come back: an
 * empty field keeps the value that is stored.
 */
export const ServerForm = ({ server, onDone, onCancel }: ServerFormProps) => {
  const t = useT();
  const setup = server?.setup ?? null;
  const [name, setName] = useState(server?.name ?? '');
  const [transport, setTransport] = useState<McpDraft['transport']>(setup?.transport ?? 'stdio');
  const [command, setCommand] = useState(setup?.command ?? '');
  const [args, setArgs] = useState(setup?.args.join('\n') ?? '');
  const [cwd, setCwd] = useState(setup?.cwd ?? '');
  const [url, setUrl] = useState(setup?.url ?? '');
  const [timeout, setTimeout] = useState(String(setup?.timeoutSeconds ?? 60));
  const [rows, setRows] = useState<Row[]>(
    (setup?.secrets ?? []).map((secret, key) => ({ key, name: secret, kept: true })),
  );
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isProgram = transport === 'stdio';
  const transports = (['stdio', 'http', 'sse'] as const).map((value) => ({
    value,
    label: t(`mcp.${value}`),
  }));

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const typed = (key: number) => {
      const field = elements.namedItem(`secret-${key}`);
      return field instanceof HTMLInputElement ? field.value : '';
    };
    const seconds = Number(timeout);
    const wrong =
      name.trim() === ''
        ? t('mcp.nameMissing')
        : rows.some((row) => row.name.trim() === '')
          ? t('mcp.secretNameMissing')
          : Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600
            ? undefined
            : t('mcp.timeoutWrong');
    setError(wrong);
    if (wrong !== undefined) return;
    setBusy(true);
    const result = await call('mcp.save', {
      draft: {
        name: name.trim(),
        previous: server?.name ?? null,
        transport,
        command,
        args: args === '' ? [] : args.split('\n'),
        cwd,
        url,
        secrets: rows.map((row) => {
          const value = typed(row.key);
          return { name: row.name.trim(), value: row.kept && value === '' ? null : value };
        }),
        timeoutSeconds: seconds,
      },
    });
    setBusy(false);
    setError(result.ok ? undefined : result.error.message);
    if (!result.ok) return;
    toast(t('mcp.saved'));
    onDone();
  };

  return (
    <form
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => void save(event)}
    >
      <Field label={t('mcp.name')} hint={t('mcp.nameHint')}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            spellCheck={false}
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('mcp.transport')}>
        {(ids) => (
          <Select
            {...ids}
            options={transports}
            value={transport}
            onChange={(event) => {
              const chosen = transports.find(({ value }) => value === event.target.value);
              if (chosen) setTransport(chosen.value);
            }}
          />
        )}
      </Field>
      {isProgram ? (
        <>
          <Field label={t('mcp.command')} hint={t('mcp.commandHint')}>
            {(ids) => (
              <Input
                {...ids}
                mono
                spellCheck={false}
                value={command}
                onChange={(event) => setCommand(event.target.value)}
              />
            )}
          </Field>
          <Field label={t('mcp.args')} hint={t('mcp.argsHint')}>
            {(ids) => (
              <Textarea
                {...ids}
                mono
                rows={3}
                maxHeight={160}
                value={args}
                onChange={(event) => setArgs(event.target.value)}
              />
            )}
          </Field>
          <Field label={t('mcp.cwd')} hint={t('mcp.cwdHint')}>
            {(ids) => (
              <Input
                {...ids}
                mono
                spellCheck={false}
                value={cwd}
                onChange={(event) => setCwd(event.target.value)}
              />
            )}
          </Field>
        </>
      ) : (
        <Field label={t('mcp.url')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
      )}
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium">{t(isProgram ? 'mcp.variables' : 'mcp.headers')}</legend>
        {rows.map((row, index) => (
          <div key={row.key} className="flex items-center gap-1.5">
            <Input
              mono
              spellCheck={false}
              aria-label={t('mcp.secretName', { number: index + 1 })}
              value={row.name}
              onChange={(event) =>
                // A stored value belongs to its name.
                setRows(
                  rows.with(index, {
                    ...row,
                    name: event.target.value,
                    kept: setup?.secrets.includes(event.target.value) ?? false,
                  }),
                )
              }
            />
            <Input
              type="password"
              name={`secret-${row.key}`}
              autoComplete="off"
              spellCheck={false}
              aria-label={t('mcp.secretValue', { name: row.name })}
              placeholder={row.kept ? t('mcp.secretKept') : ''}
            />
            <IconButton
              label={t('mcp.secretRemove', { name: row.name })}
              icon={<X size={14} />}
              onClick={() => setRows(rows.filter((other) => other !== row))}
            />
          </div>
        ))}
        <div>
          <Button
            size="sm"
            icon={<Plus size={14} />}
            onClick={() =>
              setRows([
                ...rows,
                { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', kept: false },
              ])
            }
          >
            {t('mcp.secretAdd')}
          </Button>
        </div>
        <p className="text-small text-fg-3">{t('mcp.secretsHint', { example: EXAMPLE })}</p>
      </fieldset>
      <div className="max-w-40">
        <Field label={t('mcp.timeout')}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="numeric"
              value={timeout}
              onChange={(event) => setTimeout(event.target.value)}
            />
          )}
        </Field>
      </div>
      {error !== undefined && <ErrorNote message={error} />}
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

/** How a value names a variable of the environment. */
const EXAMPLE = ['$', '{NAME}'].join('');
