import { createContext, useContext } from 'react';

/** Checks whether a base64 picture in a text can be decoded and shown. It must not decode it. */
type CheckPicture = (base64: string) => boolean;

const Context = createContext<CheckPicture>(() => false);

export const OwnPicturesProvider = Context.Provider;
export const useCheckPicture = (): CheckPicture => useContext(Context);
