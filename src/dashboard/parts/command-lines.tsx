import { namespace } from '../address.ts';
import { toCommandLine } from '../command-line.ts';
import { CopyButton } from './copy-button.tsx';

interface Line {
  readonly what: string;
  readonly command: string;
}

/** Commands to type, each with what it does and a way to copy it. */
export function CommandLines(props: { lines: readonly Line[] }) {
  const lines = props.lines.map(({ what, command }) => ({
    what,
    command: toCommandLine(command, location.origin, namespace.value),
  }));
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
