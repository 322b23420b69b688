import { Button } from './button';
import { ErrorNote } from './error-note';
import { useWords } from './words';

interface LoadFailedProps {
  error: { message: string; detail?: string | undefined };
  onRetry(): void;
}

/** The error of something that could not be loaded, with a button to try again. */
export const LoadFailed = ({ error, onRetry }: LoadFailedProps) => {
  const words = useWords();
  return (
    <ErrorNote
      message={error.message}
      detail={error.detail}
      actions={
        <Button size="sm" onClick={onRetry}>
          {words.tryAgain}
        </Button>
      }
    />
  );
};
