import type { Rule } from '@contract/control';
import type { ProjectId } from '@contract/ids';
import { ruleText } from '@contract/rule-text';
import type { SandboxDetails } from '@contract/sandbox';
import { useEffect, useState } from 'react';
import { useSaid, useT } from '../../i18n';
import { call, toast, useApp, useProjectChoice } from '../../link';
import { Badge, Button, Choice, ErrorNote, Field, Input } from '../../ui';
import { Heading } from './heading';

const PROGRAMS = { bubblewrap: 'bubblewrap', seatbelt: 'Seatbelt' } as const;

/** Whether commands can be confined here, where they are, what they may reach, and what is kept from them. */
export const SandboxSection = () => {
  const t = useT();
  const said = useSaid();
  const { project, options, choose } = useProjectChoice();
  const [details, setDetails] = useState<SandboxDetails>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let wanted = true;
    void call('sandbox.read', {}).then((result) => {
      if (!wanted) return;
      if (result.ok) setDetails(result.value);
      else setError(result.error.message);
    });
    return () => {
      wanted = false;
    };
  }, []);
  if (error !== undefined) return <ErrorNote message={error} />;
  if (details === undefined) return <p className="text-fg-2">{t('sandbox.looking')}</p>;
  const { kind, reason, noHosts } = details;
  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        <p className="font-medium">
          {kind === null ? t('sandbox.isMissing') : t('sandbox.isThere', { program: PROGRAMS[kind] })}
        </p>
        {reason !== null && <p className="text-fg-2">{said(reason)}</p>}
      </div>
      {kind !== null && project !== undefined && (
        <div className="flex flex-col gap-2">
          <Choice label={t('approvals.ruleProject')} value={project.id} options={options} onChange={choose} />
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="accent-accent"
              checked={project.sandbox !== false}
              onChange={(event) =>
                void call('project.setSandbox', { projectId: project.id, on: event.target.checked }).then(
                  (result) => result.ok || toast(result.error.message),
                )
              }
            />
            {t('sandbox.run')}
          </label>
          <p className="text-small text-fg-3">{t('sandbox.runHint', { project: project.name })}</p>
        </div>
      )}
      {kind !== null && <Hosts noHosts={noHosts} projectId={project?.id} />}
      {kind !== null && (
        <>
          <Places title={t('sandbox.hidden')} hint={t('sandbox.hiddenHint')} places={details.hidden} />
          <Places title={t('sandbox.readOnly')} places={details.readOnly} />
        </>
      )}
      <p className="text-small text-fg-3">{t('sandbox.about')}</p>
    </div>
  );
};

/** The rules about hosts, of every scope. */
const Hosts = ({ noHosts, projectId }: { noHosts: string | null; projectId: ProjectId | undefined }) => {
  const t = useT();
  const said = useSaid();
  const rules = useApp((app) => app.rules).filter(({ match }) => match.kind === 'host');
  const [host, setHost] = useState('');
  const [error, setError] = useState<string>();
  const add = async () => {
    if (projectId === undefined || host.trim() === '') return;
    const match = { kind: 'host' as const, host: host.trim() };
    const scope = { kind: 'project' as const, projectId };
    const result = await call('rules.save', { draft: { effect: 'allow', match, scope } });
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) setHost('');
  };
  return (
    <section className="flex flex-col gap-2">
      <Heading title={t('sandbox.hosts')} hint={noHosts === null ? t('sandbox.hostsHint') : said(noHosts)} />
      {rules.length === 0 && <p className="text-fg-2">{t('sandbox.noHosts')}</p>}
      <ul className="flex flex-col">
        {rules.map((rule) => (
          <HostRow key={rule.id} rule={rule} />
        ))}
      </ul>
      {noHosts === null && projectId !== undefined && (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Field label={t('sandbox.host')}>
            {(ids) => (
              <span className="flex gap-2">
                <Input
                  {...ids}
                  mono
                  spellCheck={false}
                  placeholder="registry.npmjs.org"
                  value={host}
                  onChange={(event) => setHost(event.target.value)}
                />
                <Button type="submit">{t('sandbox.addHost')}</Button>
              </span>
            )}
          </Field>
          {error !== undefined && <ErrorNote message={error} />}
        </form>
      )}
    </section>
  );
};

const HostRow = ({ rule: { id, scope, match, effect } }: { rule: Rule }) => {
  const t = useT();
  const name = useApp((app) => {
    if (scope.kind === 'project') return app.projects.find((one) => one.id === scope.projectId)?.name;
    return scope.kind === 'thread' ? app.threads.find((one) => one.id === scope.threadId)?.title : undefined;
  });
  const host = ruleText(match);
  const where =
    scope.kind === 'person'
      ? t('sandbox.everywhere')
      : t(scope.kind === 'project' ? 'sandbox.inProject' : 'sandbox.inThread', { name: name ?? '?' });
  const revoke = async () => {
    const result = await call('rules.remove', { id });
    toast(result.ok ? t('sandbox.revoked', { host }) : result.error.message);
  };
  return (
    <li aria-label={host} className="flex items-center gap-2 border-b border-line py-1.5">
      <code className="min-w-0 truncate font-mono text-code">{host}</code>
      {effect === 'deny' && <Badge tone="deny">{t('sandbox.forbidden')}</Badge>}
      <span className="min-w-0 grow truncate text-small text-fg-3">{where}</span>
      <Button size="sm" variant="danger" onClick={() => void revoke()}>
        {t('sandbox.revoke')}
      </Button>
    </li>
  );
};

const Places = ({ title, hint, places }: { title: string; hint?: string; places: readonly string[] }) => (
  <section className="flex flex-col gap-2">
    <Heading title={title} {...(hint === undefined ? {} : { hint })} />
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={title}
      className="max-h-40 overflow-auto rounded-card border border-line bg-sunken px-3 py-2 font-mono text-code"
    >
      {places.map((place) => (
        <li key={place} className="break-all">
          {place}
        </li>
      ))}
    </ul>
  </section>
);
