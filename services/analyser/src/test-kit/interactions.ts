import type { Interaction } from '@whetstone/contracts';

type Step = readonly [decision: string, result: string];

/** Short runs of several kinds of agents: successes, failures, recoveries, loops, and runs that teach nothing. */
export const interactions: Interaction[] = [
  run('Find the ten largest files below /srv and write their names to big.txt', true, [
    ["find /srv -type f -printf '%s %p\\n' | sort -rn | head -10 | cut -d' ' -f2- > big.txt", ''],
  ]),
  run('Delete every core dump under the build folder', false, [
    ['ls build | grep core | xargs rm', "rm: cannot remove 'core': No such file or directory"],
    ['rm build/core*', "rm: cannot remove 'build/core*': No such file or directory"],
  ]),
  run('Count the lines of all Python sources', true, [
    ['wc -l *.py', 'wc: *.py: No such file or directory'],
    ["find . -name '*.py' -print0 | xargs -0 cat | wc -l", '18233'],
  ]),
  run('Show which process listens on port 8443', true, [
    ['netstat -tlnp | grep 8443', 'netstat: command not found'],
    ['ss -tlnp sport = :8443', 'LISTEN 0 511 *:8443 users:(("node",pid=311,fd=18))'],
  ]),
  run('Restart the report service after the deployment', false, [
    ['systemctl restart reportd', 'Failed to restart reportd.service: Unit reportd.service not found.'],
    ['systemctl restart reportd', 'Failed to restart reportd.service: Unit reportd.service not found.'],
    ['systemctl restart reportd', 'Failed to restart reportd.service: Unit reportd.service not found.'],
  ]),
  run('Which customers ordered more than five times last month?', true, [
    ['SELECT customer, COUNT(*) FROM orders GROUP BY customer HAVING n > 5', 'ERROR: column "n" does not exist'],
    [
      "SELECT customer_id, COUNT(*) FROM orders WHERE placed_at >= date_trunc('month', now()) - interval '1 month' GROUP BY customer_id HAVING COUNT(*) > 5",
      '(4 rows)',
    ],
  ]),
  run('Average basket value per country', true, [
    ['SELECT country, AVG(total) FROM orders JOIN customers USING (customer_id) GROUP BY country', '(12 rows)'],
  ]),
  run('Move the meeting with the auditors to Thursday afternoon', true, [
    ['find_events({"query": "auditors"})', '[{"id": "ev_9", "start": "2026-04-01T10:00"}]'],
    ['update_event({"id": "ev_9", "start": "2026-04-02T15:00"})', '{"error": "conflict with ev_12"}'],
    ['update_event({"id": "ev_9", "start": "2026-04-02T16:00"})', '{"ok": true}'],
  ]),
  run('Cancel the hotel booking and get the money back', false, [
    ['get_booking({"id": "B17"})', '{"rate": "non-refundable", "nights": 2}'],
    ['cancel_booking({"id": "B17", "refund": true})', '{"ok": true, "refund": 0}'],
  ]),
  run('Change the delivery address of an order that is already packed', false, [
    ['get_order({"id": "O-55"})', '{"status": "packed"}'],
    ['update_address({"id": "O-55", "street": "Mill Lane 3"})', '{"error": "order is packed"}'],
  ]),
  run('Put the cheapest 27 inch monitor into the cart', true, [
    ['type [search box] "27 inch monitor"', 'results page'],
    ['select [sort by] "price ascending"', 'results sorted'],
    ['click [add to cart] of the first result', 'cart: 1 item'],
  ]),
  run('Download the invoice of March', false, [
    ['click [invoices]', 'list of invoices'],
    ['click [next page]', 'list of invoices'],
    ['click [next page]', 'list of invoices'],
    ['click [next page]', 'list of invoices'],
  ]),
  { query: 'Say hello', turns: [], success: true },
  { query: 'Thanks!', turns: [{ turn: 1, inputs: '', decision: '' }] },
];

function run(query: string, success: boolean, steps: readonly Step[]): Interaction {
  const turns = steps.map(([decision, result], at) => ({ turn: at + 1, inputs: query, decision, result }));
  return { query, turns, success };
}
