import type { Reason } from '@contract/shared/reasons';
import { useState } from 'react';
import { useReasons, useT } from '../../../i18n';
import { call, useApp, useProjectChoice } from '../../../link';
import { LineForm } from '../questions/line-form';
import { RuleRow } from './rule-row';

/** The host rules of every scope. `noHosts`: why no host can be reached here; null if hosts can be allowed. */
export const HostRules = ({ noHosts }: { noHosts: Reason | null }) => {
  const t = useT();
  const reasons = useReasons();
  const { project } = useProjectChoice();
  const rules = useApp((app) => app.rules).filter(({ match }) => match.kind === 'host');
  const [host, setHost] = useState('');
  const [error, setError] = useState<string>();
  const add = async () => {
    if (project === undefined || host.trim() === '') return;
    const match = { kind: 'host' as const, host: host.trim() };
    const scope = { kind: 'project' as const, projectId: project.id };
    const result = await call('rules.save', { draft: { effect: 'allow', match, scope } });
    setError(result.ok || result.error.kind === 'cancelled' ? undefined : result.error.message);
    if (result.ok) setHost('');
  };
  return (
    <section className="flex flex-col gap-2">
      <div>
        <h3 className="text-title font-semibold">{t('sandbox.hosts')}</h3>
        <p className="text-small text-fg-3">
          {noHosts === null ? t('sandbox.hostsHint') : reasons.sentences([noHosts])}
        </p>
      </div>
      {rules.length === 0 && <p className="text-fg-2">{t('sandbox.noHosts')}</p>}
      <ul className="flex flex-col">
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} saysAllowed={false} />
        ))}
      </ul>
      {noHosts === null && project !== undefined && (
        <LineForm
          label={t('sandbox.host')}
          placeholder="packages.example.com"
          value={host}
          onChange={(text) => {
            setHost(text);
            setError(undefined);
          }}
          action={t('sandbox.addHost')}
          onSubmit={() => void add()}
          error={error}
        />
      )}
    </section>
  );
};
