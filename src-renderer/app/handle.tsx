import { Separator } from 'react-resizable-panels';

/** The divider between two panels. You can drag it or move it with the arrow keys. */
export const Handle = ({ direction, label }: { direction: 'horizontal' | 'vertical'; label: string }) => (
  <Separator
    aria-label={label}
    className={`relative z-10 shrink-0 bg-line outline-offset-0 hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent ${
      direction === 'horizontal' ? 'w-px' : 'h-px'
    }`}
  />
);
