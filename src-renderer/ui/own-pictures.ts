import { createContext, useContext } from 'react';

/** Whether a picture that a text holds in base64 can be decoded to be shown. It must not decode it. */
type CheckPicture = (base64: string) => boolean;

const Context = createContext<CheckPicture>(() => false);

export const OwnPicturesProvider = Context.Provider;
export const useCheckPicture = (): CheckPicture => useContext(Context);
