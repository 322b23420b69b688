import type { Project } from '@contract/app';

/** The owner of what is open and chosen in the panel of a private copy, for `useKept`. */
export const keptFor = ({ id }: Project): string => `copy ${id}`;
