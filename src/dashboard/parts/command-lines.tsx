import { CopyButton } from './copy-button.tsx';

/** Commands to type, each with what it does and a way to copy it. */
export function CommandLines({ lines }: { lines: readonly { what: string; command: string }[] }) {
  return (
    <ol class="commands">
      {lines.map(({ what, command }) => (
        <li key={command}>
          <p>{what}</p>
          <div class="command">
            <code>{command}</code>
            <CopyButton text={command} what="the command" />
          </div>
        </li>
      ))}
    </ol>
  );
}
