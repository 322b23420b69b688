import { useT } from '../../../i18n';
import { openFile, openLink } from '../../../link';
import { EmptyState, Markdown } from '../../../ui';
import { parentOf } from '../tree/tree';
import { type Place, useText } from './place';
import { failedOf, Kept, Waiting } from './waiting';

/** Rendered Markdown. Links to other files of the folder open them; the system opens URLs after a confirmation. */
export const MarkdownView = ({ place }: { place: Place }) => {
  const t = useT();
  const answer = useText(place);
  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  if (answer.value.text.trim() === '') return <EmptyState>{t('files.emptyFile')}</EmptyState>;
  const open = (url: string) => {
    if (/^[a-z][a-z0-9+.-]*:/iu.test(url)) {
      void openLink(url);
      return;
    }
    const target = resolved(parentOf(place.path), url);
    if (target !== null) openFile(target);
  };
  return (
    <Kept failed={failedOf(answer)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard */}
      <div tabIndex={0} className="h-full overflow-auto px-5 py-4 text-read -outline-offset-2">
        <div className="mx-auto max-w-page">
          <Markdown text={withoutFrontMatter(answer.value.text)} onOpenLink={open} />
        </div>
      </div>
    </Kept>
  );
};

/** Leaves out the metadata at the top of a file, unless the file has nothing else. */
function withoutFrontMatter(text: string): string {
  const rest = text.replace(/^---\r?\n[\s\S]*?\n---\r?(?:\n|$)/u, '');
  return rest.trim() === '' ? `\`\`\`yaml\n${text}\n\`\`\`` : rest;
}

/** The file that a link refers to, below or beside `folder`; null for an anchor in the same text. */
export function resolved(folder: string, link: string): string | null {
  const [path = ''] = link.split(/[?#]/u, 1);
  if (path === '') return null;
  const names = path.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const name of decoded(path).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A literal percent sign.
    return path;
  }
}
