import type { Interaction } from '@whetstone/contracts';

/** Decision and result of one turn. */
export type Exchange = readonly [decision: string, result?: string | undefined, inputs?: string];

export interface Sample extends Partial<Omit<Interaction, 'turns'>> {
  query: string;
  turns: readonly Exchange[];
}

export function interactionOf({ turns, ...rest }: Sample): Interaction {
  return {
    ...rest,
    turns: turns.map(([decision, result, inputs = ''], index) => ({
      turn: index + 1,
      inputs,
      decision,
      ...(result === undefined ? {} : { result }),
    })),
  };
}

/** A program is missing, and the agent uses another one. */
export const hexDump = interactionOf({
  query: 'Show the first 32 bytes of /srv/firmware/boot.img as hex',
  agentType: 'shell',
  success: true,
  turns: [
    ['hexdump -n 32 /srv/firmware/boot.img', '/bin/sh: 1: hexdump: not found'],
    ['od -A d -t x1 -N 32 /srv/firmware/boot.img', '0000000 7f 45 4c 46 02 01 01 00\n0000032'],
  ],
});

/** Several commands make the change, the last one only checks it. */
export const rotateLogs = interactionOf({
  query: 'Compress every log older than a week in /var/log/shop and remove the originals',
  agentType: 'shell',
  success: true,
  turns: [
    ['ls -la /var/log/shop', 'total 48\n-rw-r--r-- 1 shop shop 9000 Jan 02 app.log'],
    ["find /var/log/shop -name '*.log' -mtime +7 -exec gzip {} +", ''],
    ['ls /var/log/shop', 'app.log.gz'],
  ],
});

/** No errors, but a wrong result. */
export const countWithoutError = interactionOf({
  query: 'How many different visitors are in access.log?',
  agentType: 'shell',
  success: false,
  turns: [
    ["cut -d' ' -f1 access.log | wc -l", '8123'],
    ["awk '{print $1}' access.log | wc -l", '8123'],
    ["awk '{print $1}' access.log | wc -l", '8123'],
  ],
});

/** An unknown option, tried repeatedly. */
export const copyExcept = interactionOf({
  query: 'Copy /home/ada/photos to /mnt/backup except the raw files',
  agentType: 'shell',
  success: false,
  turns: [
    [
      "cp -r --exclude='*.raw' /home/ada/photos /mnt/backup",
      "cp: unrecognized option '--exclude=*.raw'\nTry 'cp --help' for more information.",
    ],
    [
      "cp -r /home/ada/photos /mnt/backup --exclude '*.raw'",
      "cp: unrecognized option '--exclude'\nTry 'cp --help' for more information.",
    ],
    [
      "cp --exclude='*.raw' -r /home/ada/photos/ /mnt/backup",
      "cp: unrecognized option '--exclude=*.raw'\nTry 'cp --help' for more information.",
    ],
  ],
});

/** The environment executes the decision including its code fence. */
export const fencedCommand = interactionOf({
  query: 'Print the current kernel release',
  agentType: 'shell',
  success: true,
  turns: [
    ['```bash\nuname -r\n```', '/bin/bash: line 1: ```bash: command not found'],
    ['uname -r', '6.8.0-41-generic'],
  ],
});

/** A query with a wrong column, a schema lookup, and the query that worked. */
export const salesByRegion = interactionOf({
  query: 'Which region had the highest revenue in 2023?',
  agentType: 'sql',
  success: true,
  turns: [
    [
      'SELECT region, SUM(amount) FROM orders GROUP BY region ORDER BY 2 DESC LIMIT 1;',
      "ERROR 1054 (42S22): Unknown column 'region' in 'field list'",
    ],
    ['DESCRIBE orders;', 'id int\ncustomer_id int\namount decimal\nordered_at date'],
    ['DESCRIBE customers;', 'id int\nname varchar\nregion varchar'],
    [
      "SELECT c.region, SUM(o.amount) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.ordered_at BETWEEN '2023-01-01' AND '2023-12-31' GROUP BY c.region ORDER BY revenue DESC LIMIT 1;",
      'north | 918277.20',
    ],
  ],
});

/** A support agent that looks things up and asks before it changes something. */
export const returnParcel = interactionOf({
  query: 'Hello! I would like to send back the kettle that I bought last week.',
  agentType: 'shop_support',
  success: true,
  turns: [
    [
      'I can help with that. Could you please provide your order number?',
      "I'm sorry, I don't have it here. My email is ada@example.com.",
    ],
    [
      'find_customer({"email": "ada@example.com"})',
      '{"customer_id": "cus_88213", "name": "Ada Marlow", "orders": ["ord_55120", "ord_55121"]}',
    ],
    [
      'get_order({"order_id": "ord_55120"})',
      '{"order_id": "ord_55120", "items": [{"sku": "KETTLE-2", "price": 49.9}], "delivered": "2024-03-02"}',
    ],
    [
      'I can return the kettle from that order for a refund of $49.90 to your card. Would you like me to proceed?',
      'Yes, please go ahead.',
    ],
    [
      'create_return({"order_id": "ord_55120", "sku": "KETTLE-2", "refund_to": "card_1001"})',
      '{"error": "payment method card_1001 not found"}',
    ],
    [
      'create_return({"order_id": "ord_55120", "sku": "KETTLE-2", "refund_to": "card_1002"})',
      '{"return_id": "ret_91", "status": "created"}',
    ],
    [
      'Done. Returns are only possible within 30 days of delivery, so please send it soon.',
      "Great, that's all. Thanks!",
    ],
  ],
});

/** The agent rightly declines and states the rule. */
export const declinedRefund = interactionOf({
  query: 'I want my money back for the concert ticket.',
  agentType: 'ticket_support',
  success: true,
  turns: [
    ['May I have your ticket number?', 'It is T-5521-XK.'],
    ['get_ticket(ticket_id="T-5521-XK")', '{"ticket_id": "T-5521-XK", "type": "early_bird", "event": "2024-08-01"}'],
    [
      'I understand. Unfortunately, early-bird tickets cannot be refunded unless the organiser cancels the event.',
      'That is a pity. Thank you anyway.',
    ],
  ],
});

/** The agent keeps asking for something the user does not have. */
export const keepsAsking = interactionOf({
  query: 'I need to change the address of my insurance policy.',
  agentType: 'insurance_support',
  success: false,
  turns: [
    ['Sure! Could you please provide your policy number?', "I don't have it with me."],
    ['I need the policy number to continue. Please provide it.', "As I said, I don't remember it. Can you look it up?"],
    ['Unfortunately I need the policy number. Could you please check your papers and provide it?', 'No. Goodbye.'],
  ],
});

/** A web agent: ids change with every page, labels do not. */
export const orderFilter = interactionOf({
  query: 'Put the cheapest water filter of the shop into the cart',
  agentType: 'browser',
  success: true,
  turns: [
    [
      'type [31] [water filter] [1]',
      "[12] link 'Home'\n[44] button 'Sort by price'",
      "[31] textbox 'Search the shop'\n[32] button 'Go'",
    ],
    ['click [99]', 'Error: no element with id 99 on this page', "[12] link 'Home'\n[44] button 'Sort by price'"],
    [
      'click [44]',
      "[51] link 'Filter S, 9.90'\n[52] button 'Add to cart'",
      "[12] link 'Home'\n[44] button 'Sort by price'",
    ],
    ['click [52]', "[60] heading 'Added to your cart'", "[51] link 'Filter S, 9.90'\n[52] button 'Add to cart'"],
    ['stop [done]'],
  ],
});

/** A coding agent: a traceback, a fix, and passing tests. */
export const fixImport = interactionOf({
  query: 'Make the invoice exporter tests pass',
  agentType: 'coding',
  success: true,
  turns: [
    [
      'python -m pytest tests/test_export.py',
      'Traceback (most recent call last):\n  File "export.py", line 3, in <module>\n    import openpyxl\nModuleNotFoundError: No module named \'openpyxl\'',
    ],
    ['pip install openpyxl', 'Successfully installed openpyxl-3.1.2'],
    ["sed -i 's/invoice.total()/invoice.total/' src/export.py", ''],
    ['python -m pytest tests/test_export.py', '4 passed in 0.31s'],
  ],
});

/** An API agent with OpenAI tool calls and no reported outcome. */
export const unlabelledApi = interactionOf({
  query: 'Create a ticket for the broken printer in room 4',
  agentType: 'api',
  turns: [
    [
      '{"tool_calls": [{"type": "function", "function": {"name": "create_ticket", "arguments": "{\\"title\\": \\"Printer broken\\", \\"room\\": \\"4\\"}"}}]}',
      '{"status": 422, "message": "field priority is required"}',
    ],
    [
      '{"tool_calls": [{"type": "function", "function": {"name": "create_ticket", "arguments": "{\\"title\\": \\"Printer broken\\", \\"room\\": \\"4\\", \\"priority\\": \\"low\\"}"}}]}',
      '{"id": "TCK-901", "state": "open"}',
    ],
  ],
});
