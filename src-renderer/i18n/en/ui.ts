import { englishWords } from '../../ui';

export const ui = englishWords;
