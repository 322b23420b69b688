import { englishWords } from '../../ui/words';

export const ui = englishWords;
