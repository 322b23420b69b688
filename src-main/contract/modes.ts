/** Approval modes, loosest first; see `ApprovalMode`. */
export const APPROVAL_MODES = ['auto-sandbox', 'ask-risky', 'ask-all', 'plan'] as const;
type Mode = (typeof APPROVAL_MODES)[number];

/** The next stricter mode; null if there is none. */
export const tighter = (mode: Mode): Mode | null => APPROVAL_MODES[APPROVAL_MODES.indexOf(mode) + 1] ?? null;

export const isLooser = (mode: Mode, than: Mode): boolean =>
  APPROVAL_MODES.indexOf(mode) < APPROVAL_MODES.indexOf(than);
