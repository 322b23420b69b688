export const memories = {} as const;
