import type { Rule } from '@contract/control';
import { ruleText } from '@contract/rule-text';
import type { ReactNode } from 'react';
import { useT } from '../../../i18n';
import { call, toast, useApp, useOfferUndo } from '../../../link';
import { Badge, MoreMenu } from '../../../ui';

interface RuleRowProps {
  rule: Rule;
  /** Whether to label allow rules too; not in a list that has hardly any others. */
  saysAllowed: boolean;
  /** Additional actions. */
  children?: ReactNode;
}

/** A rule in a list: its effect, its scope, and a revoke button that can be undone. */
export const RuleRow = ({ rule: { id, scope, match, effect }, saysAllowed, children }: RuleRowProps) => {
  const t = useT();
  const offerUndo = useOfferUndo();
  const name = useApp((app) => {
    if (scope.kind === 'project') return app.projects.find((one) => one.id === scope.projectId)?.name;
    return scope.kind === 'thread' ? app.threads.find((one) => one.id === scope.threadId)?.title : undefined;
  });
  const where =
    scope.kind === 'person'
      ? t('sandbox.everywhere')
      : t(scope.kind === 'project' ? 'approvals.inProject' : 'approvals.inThread', { name: name ?? '?' });
  const text = ruleText(match);
  const restore = async () => {
    const back = await call('rules.restore', { id });
    if (!back.ok) toast(back.error.message);
    return back.ok;
  };
  const revoke = async () => {
    const result = await call('rules.remove', { id });
    const said = result.ok ? t('approvals.revoked', { rule: text }) : result.error.message;
    if (!result.ok || !offerUndo({ setting: text, said, undo: restore })) toast(said);
  };
  return (
    <li aria-label={text} className="flex min-h-9 items-center gap-2 border-b border-line py-1">
      {effect === 'deny' ? (
        <Badge tone="deny">{t('approvals.ruleDeny')}</Badge>
      ) : (
        saysAllowed && <Badge tone="ok">{t('approvals.ruleAllow')}</Badge>
      )}
      <code className="min-w-0 truncate font-mono text-code" title={text}>
        {text}
      </code>
      <span className="min-w-16 grow truncate text-small text-fg-3" title={where}>
        {where}
      </span>
      {children}
      <MoreMenu
        label={t('settings.moreFor', { name: text })}
        items={[{ label: t('approvals.revoke'), danger: true, onSelect: () => void revoke() }]}
      />
    </li>
  );
};
