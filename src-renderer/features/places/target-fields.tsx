import type { ProjectId } from '@contract/ids';
import type { PlaceKind } from '@contract/places';
import { optional } from '@contract/shared/optional';
import { type ComponentType, useEffect, useId, useState } from 'react';
import { useT } from '../../i18n';
import { call } from '../../link';
import { Button, Choice, Field, Input } from '../../ui';
import { ModuleFields } from './module-fields';
import type { MissingField, TargetText } from './target-text';

/** Whether a password is stored. `other`: it is for another host or account. `gone`: it was removed with the place. */
export type StoredSecret = 'none' | 'kept' | 'other' | 'gone';

interface TargetFieldsProps {
  target: TargetText;
  stored: StoredSecret;
  /** The only project that has the place. Null: every project. */
  projectId: ProjectId | null;
  /** What is wrong with a field. */
  at(field: MissingField): string | undefined;
  onChange(target: TargetText): void;
}

type KindFieldsProps = Omit<TargetFieldsProps, 'onChange'> & {
  /** Only how to reach the folder can be changed. */
  isFixed?: boolean;
  onChange(part: Partial<TargetText>): void;
};

/** The kind of a place, and where it is. */
export const TargetFields = ({ target, onChange, ...facts }: TargetFieldsProps) => {
  const t = useT();
  const change = (part: Partial<TargetText>) => onChange({ ...target, ...part });
  const KindFields = FIELDS[target.kind];
  return (
    <>
      <Choice
        label={t('places.kind')}
        value={target.kind}
        options={KINDS.map((value) => ({ value, label: t(`places.kind_${value}`) }))}
        onChange={(kind) => change({ kind })}
      />
      <KindFields target={target} onChange={change} {...facts} />
    </>
  );
};

const REMOTE = ['ssh', 'container'] as const satisfies readonly PlaceKind[];

/** Where the folder of a project on another computer or in a container is. */
export const RemoteFields = ({
  target,
  isFixed = false,
  onChange,
  ...rest
}: Omit<TargetFieldsProps, 'projectId'> & { isFixed?: boolean }) => {
  const t = useT();
  const change = (part: Partial<TargetText>) => onChange({ ...target, ...part });
  const KindFields = FIELDS[target.kind];
  return (
    <>
      {!isFixed && (
        <Choice
          label={t('places.kind')}
          value={target.kind === 'container' ? 'container' : 'ssh'}
          options={REMOTE.map((value) => ({ value, label: t(`places.kind_${value}`) }))}
          onChange={(kind) => change({ kind })}
        />
      )}
      <KindFields target={target} projectId={null} isFixed={isFixed} onChange={change} {...rest} />
    </>
  );
};

interface TextFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  placeholder?: string;
  readOnly?: boolean;
  /** Offered while typing. */
  suggestions?: readonly string[];
  value: string;
  onChange(value: string): void;
}

const TextField = ({
  label,
  hint,
  error,
  placeholder,
  readOnly = false,
  suggestions = [],
  value,
  onChange,
}: TextFieldProps) => {
  const list = useId();
  return (
    <Field label={label} error={error} {...optional({ hint })}>
      {(ids) => (
        <>
          <Input
            {...ids}
            mono
            spellCheck={false}
            {...optional({ placeholder })}
            readOnly={readOnly}
            list={suggestions.length === 0 ? undefined : list}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {suggestions.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
};

interface SecretFieldProps {
  label: string;
  hint?: string;
  stored: StoredSecret;
}

/** Read by the form when it is sent, so that a password is not kept in the page's state. */
const SecretField = ({ label, hint, stored }: SecretFieldProps) => {
  const t = useT();
  const lost = stored === 'other' ? 'places.passwordOther' : stored === 'gone' ? 'places.passwordGone' : null;
  return (
    <Field label={label} {...optional({ hint: lost === null ? hint : t(lost) })}>
      {(ids) => (
        <Input
          {...ids}
          type="password"
          name="secret"
          autoComplete="off"
          spellCheck={false}
          placeholder={stored === 'kept' ? t('places.passwordKept') : ''}
        />
      )}
    </Field>
  );
};

const FolderFields = ({ target, at, onChange }: KindFieldsProps) => {
  const t = useT();
  const choose = async () => {
    const result = await call('places.chooseFolder', {});
    if (result.ok && result.value.folder !== null) onChange({ folder: result.value.folder });
  };
  return (
    <Field label={t('places.folder')} error={at('folder')}>
      {(ids) => (
        <div className="flex gap-2">
          <Input
            {...ids}
            mono
            spellCheck={false}
            value={target.folder}
            onChange={(event) => onChange({ folder: event.target.value })}
          />
          <Button onClick={() => void choose()}>{t('places.choose')}</Button>
        </div>
      )}
    </Field>
  );
};

/** The names in the person's OpenSSH configuration. */
function useSshHosts(): readonly string[] {
  const [hosts, setHosts] = useState<readonly string[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    void call('places.sshHosts', {}, controller.signal).then((result) => {
      if (result.ok) setHosts(result.value.hosts);
    });
    return () => controller.abort();
  }, []);
  return hosts;
}

const SshFields = ({ target, stored, at, isFixed = false, onChange }: KindFieldsProps) => {
  const t = useT();
  const hosts = useSshHosts();
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('places.host')}
          hint={t('places.hostHint')}
          error={at('host')}
          placeholder={t('places.hostExample')}
          suggestions={hosts}
          value={target.host}
          // Accepted keys belong to one host.
          onChange={(host) => onChange({ host, hostKeys: [] })}
        />
        <TextField
          label={t('places.remoteFolder')}
          placeholder="~"
          readOnly={isFixed}
          value={target.folder}
          onChange={(folder) => onChange({ folder })}
        />
      </div>
      <SecretField label={t('places.password')} hint={t('places.passwordHint')} stored={stored} />
    </>
  );
};

const ENGINES = [
  { value: 'docker', label: 'Docker' },
  { value: 'podman', label: 'Podman' },
] as const;

const ContainerFields = ({ target, at, isFixed = false, onChange }: KindFieldsProps) => {
  const t = useT();
  return (
    <>
      <Choice
        label={t('places.engine')}
        value={target.engine}
        options={ENGINES}
        onChange={(engine) => onChange({ engine })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('places.container')}
          hint={t('places.containerHint')}
          error={at('container')}
          value={target.container}
          onChange={(container) => onChange({ container })}
        />
        <TextField
          label={t('places.remoteFolder')}
          placeholder="~"
          readOnly={isFixed}
          value={target.folder}
          onChange={(folder) => onChange({ folder })}
        />
      </div>
    </>
  );
};

const TeamFields = ({ target, stored, at, onChange }: KindFieldsProps) => {
  const t = useT();
  return (
    <>
      <TextField
        label={t('places.address')}
        hint={t('places.addressHint')}
        error={at('address')}
        placeholder="postgresql://user@host:5432/database"
        value={target.address}
        onChange={(address) => onChange({ address })}
      />
      <SecretField label={t('places.databasePassword')} stored={stored} />
    </>
  );
};

const BucketFields = ({ target, stored, at, onChange }: KindFieldsProps) => {
  const t = useT();
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label={t('places.bucket')}
        error={at('bucket')}
        value={target.bucket}
        onChange={(bucket) => onChange({ bucket })}
      />
      <TextField
        label={t('places.prefix')}
        hint={t('places.prefixHint')}
        value={target.prefix}
        onChange={(prefix) => onChange({ prefix })}
      />
      <TextField
        label={t('places.region')}
        error={at('region')}
        value={target.region}
        onChange={(region) => onChange({ region })}
      />
      <TextField
        label={t('places.endpoint')}
        hint={t('places.endpointHint')}
        placeholder="https://storage.example.org"
        value={target.endpoint}
        onChange={(endpoint) => onChange({ endpoint })}
      />
      <TextField
        label={t('places.accessKeyId')}
        hint={t('places.accessKeyHint')}
        value={target.accessKeyId}
        onChange={(accessKeyId) => onChange({ accessKeyId })}
      />
      <SecretField label={t('places.secretKey')} stored={stored} />
    </div>
  );
};

const HubFields = ({ target, stored, at, onChange }: KindFieldsProps) => {
  const t = useT();
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('places.repository')}
          hint={t('places.repositoryHint')}
          error={at('repository')}
          value={target.repository}
          onChange={(repository) => onChange({ repository })}
        />
        <TextField
          label={t('places.hubServer')}
          hint={t('places.hubServerHint')}
          placeholder="https://api.smith.langchain.com"
          value={target.server}
          onChange={(server) => onChange({ server })}
        />
      </div>
      <SecretField label={t('places.apiKey')} stored={stored} />
    </>
  );
};

const FIELDS: Record<PlaceKind, ComponentType<KindFieldsProps>> = {
  folder: FolderFields,
  ssh: SshFields,
  container: ContainerFields,
  team: TeamFields,
  bucket: BucketFields,
  hub: HubFields,
  module: ModuleFields,
};
const KINDS = Object.keys(FIELDS) as PlaceKind[];
