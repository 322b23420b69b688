import type { ReactNode } from 'react';
import { cx } from './cx';

export type Tone = 'neutral' | 'accent' | 'ok' | 'ask' | 'deny';

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-fg-2',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-add text-ok',
  ask: 'bg-ask-soft text-ask-text',
  deny: 'bg-deny-soft text-deny',
};

/** A status word. The text carries the meaning; the tone only supports it. */
export const Badge = ({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) => (
  <span
    className={cx(
      'inline-flex h-4.5 shrink-0 items-center gap-1 rounded-mark px-1.5 text-small font-medium whitespace-nowrap tabular-nums',
      tones[tone],
    )}
  >
    {icon}
    {children}
  </span>
);
