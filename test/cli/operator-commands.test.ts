import { describe, expect, it } from 'vitest';
import { openYard } from './support/yard.ts';

describe('node commands', () => {
  it('tell of nodes and what is wanted of them', async () => {
    await using yard = await openYard({ hasNode: true, settings: { 'node.slots': '3' } });

    const list = await yard.sh('node list');
    expect(list.out).toMatch(
      /^NODE {2}STATE {2}RUNNING {2}SLOTS {2}LIMIT {2}RUNS +VERSION +SEEN\nn1 +live +0 +3 +- {2}programs {2}1\.2\.3 .*\n$/,
    );
    expect((await yard.sh('node drain n1')).out).toBe(
      'n1 finishes what it runs (0 now) and takes no more.\n',
    );
    expect((await yard.sh('node list')).out).toContain('draining');
    await yard.sh('node cordon n1');
    expect((await yard.engine.nodes.get('n1')).wish).toBe('cordon');
    await yard.sh('node resume n1');
    expect((await yard.engine.nodes.get('n1')).wish).toBe('work');
    expect((await yard.sh('node limit n1 2')).out).toBe('n1 runs at most 2 tasks.\n');
    expect((await yard.engine.nodes.get('n1')).maxRunning).toBe(2);
    expect((await yard.sh('node limit n1 none')).out).toBe('n1 has no limit.\n');
    expect((await yard.sh('node show n1')).out).toMatch(/n1\n {2}state +live\n/);
    expect((await yard.sh('node drain n2')).err).toBe(
      'No node "n2" in namespace "default". Did you mean "n1"?\n',
    );
  });

  it('list live nodes only, unless told otherwise', async () => {
    await using yard = await openYard();
    await yard.engine.nodes.heartbeat('old');
    await yard.engine.nodes.deactivate('old');

    expect((await yard.sh('node list')).err).toContain('No node is live.');
    expect((await yard.sh('node list --all')).out).toMatch(/^old +gone/m);
    expect((await yard.sh('node delete old')).out).toBe('Forgot node old.\n');
  });
});

describe('counts', () => {
  it('are told by queue and state, with their sum', async () => {
    await using yard = await openYard();
    await yard.engine.queues.create('a');
    await yard.engine.queues.create('b');
    await yard.sh('submit a --array 1-1500');
    await yard.sh('submit b --item x --hold');

    const { out } = await yard.sh('counts');

    expect(out.split('\n').map((line) => line.split(/ +/).slice(0, 4))).toEqual([
      ['QUEUE', 'QUEUED', 'DELAYED', 'HELD'],
      ['a', '1,500', '0', '0'],
      ['b', '0', '0', '1'],
      ['total', '1,500', '0', '1'],
      [''],
    ]);
    expect((await yard.sh('counts b --json')).json).toMatchObject([
      { queue: 'b', counts: { held: 1 } },
    ]);
    expect((await yard.sh('counts nope')).code).toBe(1);
  });

  it('may span namespaces', async () => {
    await using yard = await openYard();
    await yard.sh('queue create a');
    await yard.sh('queue create a --namespace other');

    const { json } = await yard.sh('counts --all-namespaces --json');

    expect(json).toMatchObject([
      { namespace: 'default', queue: 'a' },
      { namespace: 'other', queue: 'a' },
    ]);
  });
});

describe('namespace commands', () => {
  it('list and delete, but never unasked', async () => {
    await using yard = await openYard();
    await yard.sh('queue create a');
    await yard.sh('queue create a -n other');
    await yard.sh('submit a --array 1-3 -n other');

    const { code, err } = await yard.sh('namespace delete other');
    expect([code, err]).toEqual([
      2,
      'Delete namespace other with 1 queue and 3 tasks? Say --yes if you mean it.\n',
    ]);
    expect((await yard.sh('namespace delete other --yes')).code).toBe(0);
    expect((await yard.sh('namespace list --json')).json).toMatchObject([{ name: 'default' }]);
  });
});

describe('token commands', () => {
  it('give the secret once, and take tokens back', async () => {
    await using yard = await openYard();

    const made = await yard.sh('token create ci --role submitter --namespaces a,b --expires 90d');
    const secret = made.out.trim();
    expect(secret).toMatch(/^\S{20,}$/);
    expect(made.err).toContain('it is shown only now');

    const list = await yard.sh('token list');
    expect(list.out).toMatch(/^ci +submitter +a, b /m);
    expect(list.out).not.toContain(secret);

    const refused = await yard.run(['queue', 'create', 'q', '-n', 'a', '--token', secret]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('needs role operator');

    await yard.sh('token revoke ci');
    const revoked = await yard.run(['queue', 'list', '-n', 'a', '--token', secret]);
    expect(revoked.code).toBe(3);
    expect(revoked.err).toContain('The server does not let you in');
  });

  it('want a role', async () => {
    await using yard = await openYard();

    expect((await yard.sh('token create x')).err).toContain('--role viewer|submitter|');
    expect((await yard.sh('token create x --role admn')).err).toContain('Did you mean "admin"?');
  });
});

describe('top', () => {
  it('looks once where there is no terminal', async () => {
    await using yard = await openYard({ hasNode: true });
    await yard.sh('queue create mail');

    const { code, out } = await yard.sh('top');

    expect(code).toBe(0);
    expect(out).toMatch(/^batchyard top {2}\d\d:\d\d:\d\d {2}namespace default\n\nQueues\n/);
    expect(out).toMatch(/^mail +open/m);
    expect(out).toMatch(/^n1 +live/m);
  });

  it('draws the screen anew on a terminal, and gives it back when interrupted', async () => {
    await using yard = await openYard();

    const running = yard.start(['top', '--interval', '1ms'], {
      terminal: { columns: 80, rows: 10 },
    });
    await running.stdout.seen(/ended[\s\S]*batchyard top/);
    running.interrupt();
    const { code, out } = await running.ended;

    expect(code).toBe(130);
    expect(out.startsWith('\u001b[?1049h')).toBe(true);
    expect(out.endsWith('\u001b[?1049l')).toBe(true);
  });
});
