import { createContext, useContext } from 'react';

/** A change that can be undone. */
export interface UndoOffer {
  /** What was changed, in the person's language. */
  setting: string;
  /** The whole message; by default it says that the setting was changed. */
  said?: string;
  /** Resolves to whether it was undone; reports a failure itself. */
  undo(): Promise<boolean>;
  /** The offer expires: after another change, or when the settings close. */
  forget?(): void;
  /** The subject of the change: an offer with the same one replaces this one without `forget`. */
  place?: string;
  /** Milliseconds until the offer expires; by default it stays until the next change. */
  within?: number;
}

const Context = createContext<((offer: UndoOffer) => void) | null>(null);

/** Wraps pages that report the last change with an offer to undo it. */
export const UndoOffers = Context.Provider;

/**
 * Offers to undo a change outside the app's settings: a key, a rule, a budget. Returns false if no enclosing page reports
 * it; the caller reports it then.
 */
export function useOfferUndo(): (offer: UndoOffer) => boolean {
  const offer = useContext(Context);
  return (change) => {
    offer?.(change);
    return offer !== null;
  };
}
