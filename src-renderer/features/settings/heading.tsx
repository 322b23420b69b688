/** The title and hint of a part of the settings. */
export const Heading = ({ title, hint }: { title: string; hint?: string }) => (
  <div>
    <h3 className="text-title font-semibold">{title}</h3>
    {hint !== undefined && <p className="text-small text-fg-3">{hint}</p>}
  </div>
);
