import { Separator } from 'react-resizable-panels';

/** The hairline between two panels that the person drags, or moves with the arrow keys. */
export const Handle = ({ direction, label }: { direction: 'horizontal' | 'vertical'; label: string }) => (
  <Separator
    aria-label={label}
    className={`relative z-10 shrink-0 bg-line outline-offset-0 hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent ${
      direction === 'horizontal' ? 'w-px' : 'h-px'
    }`}
  />
);
