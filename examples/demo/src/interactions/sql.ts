import { type DemoInteraction, run } from '../interaction.js';

const agent = 'sql-analyst';

export const sqlRuns: DemoInteraction[] = [
  run(
    agent,
    'How many customers placed no order in 2025?',
    'failed',
    [
      "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE placed_at >= '2025-01-01')",
      '0',
    ],
    [
      'SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE EXTRACT(YEAR FROM placed_at) = 2025)',
      '0',
    ],
  ),
  run(
    agent,
    'How many customers placed no order in 2025?',
    'succeeded',
    ['SELECT COUNT(*) FROM orders WHERE customer_id IS NULL', '318'],
    [
      "SELECT COUNT(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.placed_at >= '2025-01-01' AND o.placed_at < '2026-01-01')",
      '2741',
    ],
  ),
  run(
    agent,
    'Revenue per month for the last year, months without sales included',
    'succeeded',
    ['SELECT month, SUM(total) FROM orders GROUP BY month', 'ERROR: column "month" does not exist'],
    ["SELECT date_trunc('month', placed_at) AS month, SUM(total) FROM orders GROUP BY 1 ORDER BY 1", '11 rows'],
    [
      "SELECT m.month, COALESCE(SUM(o.total), 0) FROM generate_series(date_trunc('month', now()) - interval '11 months', date_trunc('month', now()), interval '1 month') AS m(month) LEFT JOIN orders o ON date_trunc('month', o.placed_at) = m.month GROUP BY 1 ORDER BY 1",
      '12 rows',
    ],
  ),
  run(agent, 'List the three best selling products in each category', 'failed', [
    'SELECT category, product, SUM(quantity) AS sold FROM sales GROUP BY category, product ORDER BY sold DESC LIMIT 3',
    'garden | hose | 9120\ngarden | rake | 8011\ngarden | soil | 7450',
  ]),
  run(agent, 'List the three best selling products in each category', 'succeeded', [
    'SELECT * FROM (SELECT category, product, SUM(quantity) AS sold, ROW_NUMBER() OVER (PARTITION BY category ORDER BY SUM(quantity) DESC) AS place FROM sales GROUP BY category, product) ranked WHERE place <= 3',
    '36 rows',
  ]),
  run(
    agent,
    'Average delivery time in days per carrier',
    'succeeded',
    [
      'SELECT carrier, AVG(delivered_at - shipped_at) FROM shipments GROUP BY carrier',
      'dhl | 3 days 04:11:20\nups | 2 days 22:01:09',
    ],
    [
      'SELECT carrier, ROUND(AVG(EXTRACT(EPOCH FROM delivered_at - shipped_at)) / 86400, 2) AS days FROM shipments WHERE delivered_at IS NOT NULL GROUP BY carrier',
      'dhl | 3.17\nups | 2.92',
    ],
  ),
];
