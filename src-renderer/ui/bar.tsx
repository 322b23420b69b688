import { cx } from './cx';

interface BarProps {
  /** 0 to 1. */
  share: number;
  tone: 'accent' | 'ok' | 'ask' | 'quiet';
  className?: string;
}

const TONES = { accent: 'bg-accent', ok: 'bg-ok', ask: 'bg-ask', quiet: 'bg-fg-3' };

/** How much of something is used or done. Decoration: say the number beside it, or around it for a screen reader. */
export const Bar = ({ share, tone, className }: BarProps) => (
  <span
    aria-hidden
    className={cx(
      'block h-1 overflow-hidden rounded-full bg-line forced-colors:bg-bg forced-colors:outline',
      className,
    )}
  >
    <span className={cx('block h-full rounded-full', TONES[tone])} style={{ width: `${share * 100}%` }} />
  </span>
);
