import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { systemClock, type TaskId } from '../../core/index.ts';
import { tellProblem } from '../notices.ts';
import { countText } from '../number-text.ts';
import { followOutput, readWholeOutput } from '../output-follower.ts';
import { MOST_LINES, type OutputBlock, type OutputLine, OutputLines } from '../output-lines.ts';
import { engine } from '../session.ts';
import { clockText } from '../time-text.ts';
import { Icon } from './icon.tsx';

/** Not more often than eyes can follow. */
const REDRAW_MS = 80;
/** This near to the end counts as at the end. */
const NEAR_END_PX = 32;

interface Shown {
  readonly blocks: readonly OutputBlock[];
  readonly lineCount: number;
  readonly droppedCount: number;
  /** The output began before what was read. */
  readonly isCut: boolean;
  readonly isEnded: boolean;
  readonly isRead: boolean;
}

const NOTHING: Shown = {
  blocks: [],
  lineCount: 0,
  droppedCount: 0,
  isCut: false,
  isEnded: false,
  isRead: false,
};

/** What an attempt writes, as it writes it. Follows the end until the reader scrolls up. */
export function OutputView({ taskId, fence }: { taskId: TaskId; fence: number }) {
  const { shown, trouble } = useOutput(taskId, fence);
  const [isFollowing, setFollowing] = useState(true);
  const [hasTimes, setTimes] = useState(false);
  const [isWrapped, setWrapped] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && isFollowing) element.scrollTop = element.scrollHeight;
  }, [shown, isFollowing, isWrapped, hasTimes]);

  const noteScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    // New lines push the end away as well; only the reader goes up.
    if (left < NEAR_END_PX) setFollowing(true);
    else if (element.scrollTop < lastTop.current) setFollowing(false);
    lastTop.current = element.scrollTop;
  };

  const { lineCount, droppedCount, isCut, isEnded, isRead } = shown;
  return (
    <section class="card output-card" aria-label="Output">
      <div class="card-head">
        <h2>
          Output <span class="faint">of attempt {fence}</span>
        </h2>
        <div class="output-tools">
          <span class="faint" role="status">
            {trouble ?? (isEnded ? `${countText(lineCount)} lines, ended` : 'live')}
          </span>
          <Toggle isOn={isWrapped} onSwitch={setWrapped} text="Wrap" />
          <Toggle isOn={hasTimes} onSwitch={setTimes} text="Times" />
          <button type="button" class="quiet small" onClick={() => download(taskId, fence)}>
            <Icon name="download" />
            Download
          </button>
        </div>
      </div>
      {(droppedCount > 0 || isCut) && (
        <p class="output-note">
          {isCut ? 'The end of a long output' : `The last lines of ${countText(lineCount)}`}; at
          most {countText(MOST_LINES)} lines are shown. Download has all that was kept.
        </p>
      )}
      <div class="output-frame">
        <section
          ref={scroller}
          class={`output${isWrapped ? ' output-wrapped' : ''}${hasTimes ? ' output-timed' : ''}`}
          aria-label="Lines of output"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
          tabIndex={0}
          onScroll={noteScroll}
        >
          {shown.blocks.map((block) => (
            <Block key={block.number} block={block} version={block.version} />
          ))}
          {isRead && lineCount === 0 && (
            <p class="output-none">{isEnded ? 'It wrote nothing.' : 'Nothing written yet.'}</p>
          )}
        </section>
        {!isFollowing && (
          <button type="button" class="jump-to-end" onClick={() => setFollowing(true)}>
            <Icon name="down" />
            Jump to end
          </button>
        )}
      </div>
    </section>
  );
}

function Toggle(props: { isOn: boolean; onSwitch: (isOn: boolean) => void; text: string }) {
  return (
    <button
      type="button"
      class="quiet small"
      aria-pressed={props.isOn}
      onClick={() => props.onSwitch(!props.isOn)}
    >
      {props.text}
    </button>
  );
}

/** Drawn again only when its version has grown. */
function Block({ block, version }: { block: OutputBlock; version: number }) {
  return useMemo(
    () => (
      <div class="output-block">
        {block.lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </div>
    ),
    [block, version],
  );
}

const STREAM_MARKS = { stdout: '', stderr: 'err', system: 'sys' } as const;

function Line({ line }: { line: OutputLine }) {
  return (
    <div class={`line line-${line.stream}`}>
      <span class="line-time">{clockText(line.at)}</span>
      <span class="line-mark">{STREAM_MARKS[line.stream]}</span>
      <span class="line-text">
        {line.spans.map(({ text, style }, index) => (
          <span key={index} class={style || undefined}>
            {text}
          </span>
        ))}
        {line.cut > 0 && <em> … {countText(line.cut)} more characters</em>}
      </span>
    </div>
  );
}

function useOutput(taskId: TaskId, fence: number): { shown: Shown; trouble: string | null } {
  const [shown, setShown] = useState(NOTHING);
  const [trouble, setTrouble] = useState<string | null>(null);
  const current = engine.value;
  useEffect(() => {
    const stop = new AbortController();
    const lines = new OutputLines();
    let isCut = false;
    let isEnded = false;
    let isRead = false;
    let pending: Disposable | null = null;
    const draw = (): void => {
      pending = null;
      const { blocks, lineCount, droppedCount } = lines;
      setShown({ blocks, lineCount, droppedCount, isCut, isEnded, isRead });
    };
    const drawSoon = (): void => {
      pending ??= systemClock.after(REDRAW_MS, draw);
    };
    setShown(NOTHING);
    void followOutput(
      { engine: current, taskId, fence },
      {
        onChunks(chunks) {
          if (!isRead) isCut = (chunks[0]?.number ?? 1) > 1;
          isRead = true;
          for (const chunk of chunks) lines.add(chunk);
          drawSoon();
        },
        onEnd() {
          isEnded = true;
          drawSoon();
        },
        onTrouble: setTrouble,
      },
      stop.signal,
    );
    return () => {
      stop.abort();
      pending?.[Symbol.dispose]();
    };
  }, [current, taskId, fence]);
  return { shown, trouble };
}

async function download(taskId: TaskId, fence: number): Promise<void> {
  try {
    const blob = await readWholeOutput({ engine: engine.value, taskId, fence });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${taskId}-${fence}.txt`;
    link.click();
    systemClock.after(60_000, () => URL.revokeObjectURL(link.href));
  } catch (error) {
    tellProblem(error);
  }
}
