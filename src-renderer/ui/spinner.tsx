import { LoaderCircle } from 'lucide-react';

/** Something is going on; say in words beside it what. */
export const Spinner = ({ size = 14 }: { size?: number }) => (
  <LoaderCircle aria-hidden size={size} className="shrink-0 animate-spin text-accent" />
);
