import { reflect } from '../reflect.js';
import { interactionOf } from '../test-kit/interactions.js';

it('takes a function that was written again for one deed, and shows its last form whole', () => {
  const first = 'def median(values):\n    return sorted(values)[len(values) // 2]';
  const lines = Array.from({ length: 24 }, (_, at) => `    total_${at} = values[${at}] if len(values) > ${at} else 0`);
  const last = `def median(values):\n    import statistics\n${lines.join('\n')}\n    return statistics.median(values)`;
  const [lesson] = reflect(
    interactionOf({
      query: 'Write a function that gives the median of a list',
      success: true,
      turns: [
        [first, 'Test case did not pass. Please try again.'],
        [first.replace('// 2', '// 3'), ''],
        [last, "{'output': '', 'error': ''}"],
      ],
    }),
  ).insights;

  expect(lesson?.title).toBe('A short python script, `median`, with `statistics.median`');
  expect(lesson?.example).toBe(last);
});
