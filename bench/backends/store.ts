import type { Part } from '../contest';
export const store: Part = [];
