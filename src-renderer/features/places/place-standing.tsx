import type { PlaceState } from '@contract/places';
import { CircleCheck, CircleDashed, CircleX, LoaderCircle, type LucideIcon, Unplug } from 'lucide-react';
import { useT } from '../../i18n';
import { Badge } from '../../ui';

const LOOKS: Record<
  PlaceState['phase'],
  { icon: LucideIcon; tone: 'neutral' | 'accent' | 'ok' | 'ask' | 'deny' }
> = {
  unused: { icon: CircleDashed, tone: 'neutral' },
  connecting: { icon: LoaderCircle, tone: 'accent' },
  connected: { icon: CircleCheck, tone: 'ok' },
  offline: { icon: Unplug, tone: 'ask' },
  refused: { icon: CircleX, tone: 'deny' },
};

/** The state of a place in one word. */
export const PlaceStanding = ({ state: { phase } }: { state: PlaceState }) => {
  const t = useT();
  const { icon: Icon, tone } = LOOKS[phase];
  return (
    <span role="status">
      <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
        {t(`places.${phase}`)}
      </Badge>
    </span>
  );
};
