import type { Approval } from '@contract/approvals';
import { Circle, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useT } from '../../i18n';
import { Badge, cx } from '../../ui';

type Risk = Approval['risk'];

export const riskNames = {
  low: 'approvals.riskLow',
  medium: 'approvals.riskMedium',
  high: 'approvals.riskHigh',
} as const;
const shapes = { low: Circle, medium: TriangleAlert, high: OctagonAlert };
const colors = { low: 'text-fg-3', medium: 'text-ask-text', high: 'text-deny' };
const tones = { low: 'neutral', medium: 'ask', high: 'deny' } as const;

/** A risk by shape and color: a circle, a triangle, an octagon. */
export const RiskShape = ({ risk, size = 12 }: { risk: Risk; size?: number }) => {
  const Shape = shapes[risk];
  return <Shape aria-hidden size={size} className={cx('shrink-0', colors[risk])} />;
};

/** The same with a label. */
export const RiskBadge = ({ risk }: { risk: Risk }) => {
  const t = useT();
  return (
    <Badge tone={tones[risk]} icon={<RiskShape risk={risk} />}>
      {t(riskNames[risk])}
    </Badge>
  );
};
