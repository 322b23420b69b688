import { ExactText } from './exact-text';
import { LineName } from './file-name';

/** A file's name, then as much of its folder as fits. */
export const PathName = ({ path }: { path: string }) => {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="flex min-w-0 grow items-baseline gap-1.5">
      <span className="flex max-w-full shrink-0">
        <LineName name={path.slice(cut)} />
      </span>
      {cut > 1 && (
        <span className="min-w-0 truncate text-small font-normal text-fg-3">
          <ExactText text={path.slice(0, cut - 1)} oneLine />
        </span>
      )}
    </span>
  );
};
