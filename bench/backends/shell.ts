import type { Part } from '../contest';
export const shell: Part = [];
