import { readSteps, type Step } from '../read-steps.js';
import { interactionOf } from '../test-kit/interactions.js';
import { factsInWords, factsOf, readsRecordOf } from './record-facts.js';

function look(result: string): Step {
  const [step] = readSteps(interactionOf({ query: 'x', turns: [['get_bicycle({"frame_id": "F-1"})', result]] }));
  if (!step) throw new Error('no step');
  return step;
}

it('tells how it stands with a record, first its status, and not who or what it is', () => {
  const facts = factsOf(
    look(
      '{"frame_id": "F-1", "owner_name": "ada", "colour": "red", "frame_type": "city bike", "insured": true, "repair_status": "waiting_for_parts", "price": 90, "notes": "handle with care, please", "warranty": "expired"}',
    ),
  );

  expect(factsInWords(facts)).toBe(
    '`repair_status` was “waiting_for_parts”, `frame_type` “city bike”, `insured` “yes”',
  );
});

it('tells nothing of a list, of prose and of a result that was cut', () => {
  for (const result of ['[{"status": "free"}]', 'The status is free.', '{"status": "fr'])
    expect(factsOf(look(result)).size).toBe(0);
});

it('knows the record of a call by what it was asked for with, or by what the record is called first', () => {
  const steps = readSteps(
    interactionOf({
      query: 'x',
      turns: [
        ['find_bicycle({"owner": "ada"})', '{"frame_id": "F-1", "state": "in_repair"}'],
        ['get_bicycle({"frame_id": "F-1"})', '{"state": "in_repair"}'],
        ['get_order({"order_id": "O-9"})', '{"order_id": "O-9", "frame_id": "F-1", "state": "open"}'],
        ['release_bicycle({"frame_id": "F-1"})', 'ok'],
      ],
    }),
  );
  const call = steps.at(-1);

  expect(steps.map((step) => call && readsRecordOf(step, call))).toEqual([true, true, false, false]);
});
