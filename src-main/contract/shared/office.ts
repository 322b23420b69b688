/** Whether the name is that of an office document whose text can be shown and compared. */
export const isOfficeFile = (path: string): boolean => /\.(?:docx|xlsx|pptx|odt)$/iu.test(path);
