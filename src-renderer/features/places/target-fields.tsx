import type { PlaceKind, PlaceOptions } from '@contract/places';
import { optional } from '@contract/shared/optional';
import { useT } from '../../i18n';
import { call } from '../../link';
import { Button, Choice, Field, Input } from '../../ui';

const KINDS = ['folder', 'ssh', 'team'] as const satisfies readonly PlaceKind[];

/** What a place is, as it is typed. */
export interface TargetText {
  kind: PlaceKind;
  folder: string;
  host: string;
  hostKeys: readonly string[];
  address: string;
}

export const textOfTarget = (options: PlaceOptions | null): TargetText => ({
  kind: 'folder',
  folder: '',
  host: '',
  hostKeys: [],
  address: '',
  ...options,
});

/** Null: something is missing. */
export function optionsOf({ kind, ...target }: TargetText): PlaceOptions | null {
  const folder = target.folder.trim();
  const host = target.host.trim();
  const address = target.address.trim();
  if (kind === 'team') return address === '' ? null : { kind, address };
  if (kind === 'folder') return folder === '' ? null : { kind, folder };
  const there = folder === '' ? '~' : folder;
  return host === '' ? null : { kind, host, folder: there, hostKeys: [...target.hostKeys] };
}

/** A mount after the last name of a folder, or after the host. */
export function suggestion({ kind, folder, host }: TargetText): string {
  if (kind === 'team') return '/team/';
  const names = folder.trim().split(/[\\/]+/u);
  const last = names.findLast((part) => part !== '' && part !== '~');
  const name = kind === 'ssh' && last === undefined ? (host.split('@').at(-1) ?? '') : (last ?? '');
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  if (plain === '') return kind === 'ssh' ? '/server/' : '/docs/';
  return `/${plain.toLowerCase()}/`;
}

interface TargetFieldsProps {
  target: TargetText;
  /** A password is stored. */
  hasSecret: boolean;
  onChange(target: TargetText): void;
}

/** The kind of a place, and where it is. */
export const TargetFields = ({ target, hasSecret, onChange }: TargetFieldsProps) => {
  const t = useT();
  const change = (part: Partial<TargetText>) => onChange({ ...target, ...part });
  return (
    <>
      <Choice
        label={t('places.kind')}
        value={target.kind}
        options={KINDS.map((value) => ({ value, label: t(`places.kind_${value}`) }))}
        onChange={(kind) => change({ kind })}
      />
      {target.kind === 'folder' ? (
        <FolderField folder={target.folder} onChange={(folder) => change({ folder })} />
      ) : target.kind === 'ssh' ? (
        <SshFields target={target} hasSecret={hasSecret} onChange={change} />
      ) : (
        <TeamFields target={target} hasSecret={hasSecret} onChange={change} />
      )}
    </>
  );
};

type PartFieldsProps = Omit<TargetFieldsProps, 'onChange'> & { onChange(part: Partial<TargetText>): void };

const TeamFields = ({ target, hasSecret, onChange }: PartFieldsProps) => {
  const t = useT();
  return (
    <>
      <Field label={t('places.address')} hint={t('places.addressHint')}>
        {(ids) => (
          <Input
            {...ids}
            mono
            spellCheck={false}
            placeholder="postgresql://user@host:5432/database"
            value={target.address}
            onChange={(event) => onChange({ address: event.target.value })}
          />
        )}
      </Field>
      <SecretField label={t('places.databasePassword')} hasSecret={hasSecret} />
    </>
  );
};

/** Read by the form when it is sent, so that a password is not kept in the page's state. */
const SecretField = ({ label, hint, hasSecret }: { label: string; hint?: string; hasSecret: boolean }) => {
  const t = useT();
  return (
    <Field label={label} {...optional({ hint })}>
      {(ids) => (
        <Input
          {...ids}
          type="password"
          name="secret"
          autoComplete="off"
          spellCheck={false}
          placeholder={hasSecret ? t('places.passwordKept') : ''}
        />
      )}
    </Field>
  );
};

const SshFields = ({ target, hasSecret, onChange }: PartFieldsProps) => {
  const t = useT();
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('places.host')} hint={t('places.hostHint')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              placeholder={t('places.hostExample')}
              value={target.host}
              // Accepted keys belong to one host.
              onChange={(event) => onChange({ host: event.target.value, hostKeys: [] })}
            />
          )}
        </Field>
        <Field label={t('places.remoteFolder')}>
          {(ids) => (
            <Input
              {...ids}
              mono
              spellCheck={false}
              placeholder="~"
              value={target.folder}
              onChange={(event) => onChange({ folder: event.target.value })}
            />
          )}
        </Field>
      </div>
      <SecretField label={t('places.password')} hint={t('places.passwordHint')} hasSecret={hasSecret} />
    </>
  );
};

const FolderField = ({ folder, onChange }: { folder: string; onChange(folder: string): void }) => {
  const t = useT();
  const choose = async () => {
    const result = await call('places.chooseFolder', {});
    if (result.ok && result.value.folder !== null) onChange(result.value.folder);
  };
  return (
    <Field label={t('places.folder')}>
      {(ids) => (
        <div className="flex gap-2">
          <Input
            {...ids}
            mono
            spellCheck={false}
            value={folder}
            onChange={(event) => onChange(event.target.value)}
          />
          <Button onClick={() => void choose()}>{t('places.choose')}</Button>
        </div>
      )}
    </Field>
  );
};
