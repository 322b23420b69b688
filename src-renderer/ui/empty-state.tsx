import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** At most 64 px. */
  icon?: ReactNode;
  /** One sentence that says what this place is for. */
  children: ReactNode;
  action?: ReactNode;
}

/** The placeholder for an empty place. */
export const EmptyState = ({ icon, children, action }: EmptyStateProps) => (
  <div className="flex h-full min-h-32 flex-col items-center justify-center gap-3 p-6 text-center text-fg-2">
    {icon !== undefined && <span className="text-fg-3">{icon}</span>}
    {/* Chinese text breaks at its commas here, not within a word, as long as each clause fits. */}
    <p className="max-w-96 text-balance wrap-anywhere [:lang(zh)_&]:break-keep">{children}</p>
    {action}
  </div>
);
