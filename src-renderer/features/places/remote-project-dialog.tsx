import type { Project } from '@contract/app';
import type { AppError } from '@contract/result';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call } from '../../link';
import { Button, Dialog, ErrorNote, useBusy, useFault } from '../../ui';
import { ConnectError } from './connect-error';
import { RemoteFields } from './target-fields';
import { type MissingField, missingIn, remoteOptionsOf, type TargetText, textOfTarget } from './target-text';

interface RemoteProjectDialogProps {
  open: boolean;
  onClose(): void;
  onOpened(project: Project): void;
}

/** Asks for a folder on another computer, connects, and opens it as a project. */
export const RemoteProjectDialog = ({ open, ...props }: RemoteProjectDialogProps) =>
  open ? <RemoteProject {...props} /> : null;

const RemoteProject = ({ onClose, onOpened }: Omit<RemoteProjectDialogProps, 'open'>) => {
  const t = useT();
  const [target, setTarget] = useState<TargetText>({ ...textOfTarget(null), kind: 'ssh' });
  const [error, setError] = useState<AppError | null>(null);
  const [busy, during] = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<MissingField>(form);
  const connecting = useRef<AbortController>(null);
  // A person who closed the dialog does not want to be taken there once the connection is made.
  useEffect(() => () => connecting.current?.abort(), []);
  const connect = async (chosen: TargetText) => {
    const options = remoteOptionsOf(chosen);
    setError(null);
    setFault(undefined);
    if (options === null) {
      const { field: missing, why } = missingIn(chosen);
      return setFault({ field: missing, message: t(why) });
    }
    const field = form.current?.elements.namedItem('secret');
    const secret = field instanceof HTMLInputElement && field.value !== '' ? field.value : null;
    const controller = new AbortController();
    connecting.current = controller;
    const result = await call('places.openProject', { options, secret }, controller.signal);
    if (controller.signal.aborted) return;
    if (!result.ok) return refused(result.error);
    const { project, error: why } = result.value;
    setError(why);
    if (project === null) return;
    onOpened(project);
    onClose();
  };
  // Enter in a field is not stopped by a button that is busy.
  const begin = (chosen: TargetText) => {
    if (!busy) void during(connect(chosen));
  };
  const trust = (fingerprint: string) => {
    const trusted = { ...target, hostKeys: [...target.hostKeys, fingerprint] };
    setTarget(trusted);
    begin(trusted);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('places.remoteTitle')}
      description={t('places.remoteAbout')}
      footer={
        <>
          <Button onClick={onClose}>{t('places.cancel')}</Button>
          <Button variant="primary" busy={busy} onClick={() => begin(target)}>
            {t('places.remoteOpen')}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        aria-label={t('places.remoteTitle')}
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          begin(target);
        }}
      >
        <RemoteFields
          target={target}
          stored="none"
          at={at}
          onChange={(next) => {
            setFault(undefined);
            setTarget(next);
          }}
        />
        {/* Enter in a field sends the form. */}
        <button type="submit" hidden />
        {fault?.field === null && <ErrorNote message={fault.message} />}
        {error !== null && <ConnectError error={error} onTrust={trust} />}
        <p className="text-small text-fg-3">{t('places.remoteLimits')}</p>
      </form>
    </Dialog>
  );
};
