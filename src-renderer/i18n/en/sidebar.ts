export const sidebar = {} as const;
