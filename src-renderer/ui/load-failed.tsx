import { Button } from './button';
import { ErrorNote } from './error-note';
import { useFocusBack } from './focus/use-focus-back';
import { useWords } from './words';

interface LoadFailedProps {
  error: { message: string; detail?: string | undefined };
  onRetry(): void;
}

/** The error of something that could not be loaded, with a button to try again. */
export const LoadFailed = ({ error, onRetry }: LoadFailedProps) => {
  const words = useWords();
  // The button goes once it has worked.
  const keepsFocus = useFocusBack(error);
  return (
    <div {...keepsFocus}>
      <ErrorNote
        message={error.message}
        detail={error.detail}
        actions={
          <Button size="sm" onClick={onRetry}>
            {words.tryAgain}
          </Button>
        }
      />
    </div>
  );
};
