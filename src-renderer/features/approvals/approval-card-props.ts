import type { Approval } from '@contract/approvals';

export interface ApprovalCardProps {
  approval: Approval;
  /** The project folder as the agent's tools name it. */
  mount: string;
  mac: boolean;
  /** Its position among the pending calls; a new value means that it moved. */
  place?: string;
  /** Esc belongs to the card's container. */
  keepsEscape?: boolean;
  /** Moves to another pending call. */
  onStep?: ((by: 1 | -1) => void) | undefined;
  /** The call was decided or no longer asks, and the card had the focus. Called while the card is still in the document. */
  onLeft?(): void;
}
