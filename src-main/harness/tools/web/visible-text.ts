/**
 * Characters that nobody sees, and models read: tags, which can spell out instructions, marks of direction, and spaces of
 * no width. Joiners stay, because scripts and emoji need them.
 */
const INVISIBLE = /[\u{e0000}-\u{e0fff}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
