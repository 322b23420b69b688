import { createContext, useContext } from 'react';

/** A change with its way back. */
export interface UndoOffer {
  /** What was changed, in the person's words. */
  setting: string;
  /** The whole sentence that says it; left out: that the setting was changed. */
  said?: string;
  /** Answers whether it was undone; says itself why not. */
  undo(): Promise<boolean>;
  /** There is no way back any more: another change, or the end of the settings. */
  forget?(): void;
  /** What it is a change of: an offer for the same takes the place of this one without `forget`. */
  place?: string;
  /** Milliseconds that the way back is there; left out: until the next change. */
  within?: number;
}

const Context = createContext<((offer: UndoOffer) => void) | null>(null);

/** Around pages that say what was changed last, with a way back. */
export const UndoOffers = Context.Provider;

/**
 * Offers a way back for a change that is none of the app's settings: a key, a rule, a budget. Answers false where no page
 * around says so: whoever changed it says it then.
 */
export function useOfferUndo(): (offer: UndoOffer) => boolean {
  const offer = useContext(Context);
  return (change) => {
    offer?.(change);
    return offer !== null;
  };
}
