import type { ComposerCommand } from '@contract/commands/composer';
import type { ProjectId } from '@contract/ids';
import { type FormEvent, useState } from 'react';
import { useT } from '../../../i18n';
import { call } from '../../../link';
import { Button, Dialog, ErrorNote, Field, Input } from '../../../ui';

export type PromptCommand = Extract<ComposerCommand, { kind: 'prompt' }>;

interface PromptFormProps {
  projectId: ProjectId;
  command: PromptCommand;
  onText(text: string): void;
  onClose(): void;
}

/** Asks for the arguments of an MCP server's prompt. Its text goes into the composer, so the person sees it before sending. */
export const PromptForm = ({ projectId, command, onText, onClose }: PromptFormProps) => {
  const t = useT();
  const [values, setValues] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const missing = command.arguments.some(
    ({ name, required }) => required && (values[name] ?? '').trim() === '',
  );

  const ask = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || missing) return;
    setBusy(true);
    setError(undefined);
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    const result = await promptText(projectId, command, filled);
    setBusy(false);
    if (result.ok) onText(result.value.text);
    else setError(result.error.message);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`/${command.name}`}
      {...(command.description === '' ? {} : { description: command.description })}
    >
      <form className="flex flex-col gap-3" onSubmit={(event) => void ask(event)}>
        {error !== undefined && <ErrorNote message={error} />}
        {command.arguments.map(({ name, description, required }) => (
          <Field
            key={name}
            label={required ? name : t('chat.optionalArgument', { name })}
            {...(description === '' ? {} : { hint: description })}
          >
            {(ids) => (
              <Input
                {...ids}
                required={required}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('chat.cancel')}</Button>
          <Button variant="primary" type="submit" busy={busy} disabled={missing}>
            {t('chat.insertPrompt')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const promptText = (
  projectId: ProjectId,
  { serverId, prompt }: PromptCommand,
  args: Record<string, string>,
) => call('composer.prompt', { projectId, serverId, prompt, arguments: args });
