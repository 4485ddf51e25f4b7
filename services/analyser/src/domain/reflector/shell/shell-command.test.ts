import { readStages } from './shell-command.js';

function programsOf(command: string): string[] {
  return readStages(command).map(({ program }) => program);
}

describe('the programs of a command line', () => {
  it.each([
    ['grep -m 1 $(hostname) /etc/hosts | cut -f 1', ['grep', 'hostname', 'cut']],
    ['echo "at $(date +%s) done" > log; ls', ['echo', 'date', 'ls']],
    ['cd `dirname x`/bin && ls', ['cd', 'dirname', 'ls']],
    ['comm -23 <(sort a) <(sort -u b) | wc -l', ['comm', 'sort', 'sort', 'wc']],
    ['for i in $(cat list); do mkdir -p $(dirname $i); done', ['cat', 'mkdir', 'dirname']],
    ['echo $((1 + 2))', ['echo']],
    ['n=$((n+step)) && echo "$((n+1))" | tee count', ['echo', 'tee']],
    ['for ((i=0; i<3; i++)); do touch $i; done', ['touch']],
    ['cd beds\r\nls -l\r\n', ['cd', 'ls']],
    ['g++ main.cpp -o main', ['g++']],
    ['echo "say \\"hi; sort it\\"" | wc -c', ['echo', 'wc']],
    ['sh -c "grep \\"a b\\" list | sort"', ['sh', 'grep', 'sort']],
    ["awk '{print $(NF)}' table | sort", ['awk', 'sort']],
  ])('are told apart from the words that follow what stands inside: %s', (command, programs) => {
    expect(programsOf(command)).toEqual(programs);
  });
});
