import { LoaderCircle } from 'lucide-react';

/** Shows that work is in progress. Put text beside it that names the work. */
export const Spinner = ({ size = 14 }: { size?: number }) => (
  <LoaderCircle aria-hidden size={size} className="shrink-0 animate-spin text-accent" />
);
