import { englishWords } from '../../ui/english';

export const ui = englishWords;
