import { defaultCollection, urlOf } from './api';
import { Copyable } from './parts';

/** What to paste to see something. */
export function FirstUpload({ collection }: { collection: string }) {
  // Ends the shell's quotes: for API callers, the key itself is the name of the default collection.
  const tenant =
    collection === defaultCollection
      ? `"'$WHETSTONE_KEY'"`
      : JSON.stringify(collection).replaceAll("'", String.raw`'\''`);
  const text = `curl ${urlOf('store_knowledge')} \\
  -H "x-api-key: $WHETSTONE_KEY" -H 'content-type: application/json' -d '{
  "tenant_id": ${tenant},
  "agent_type": "sql",
  "query": "How many orders did each customer place in 2024?",
  "success": true,
  "turns": [
    {"turn": 1, "inputs": "the question", "decision": "SELECT * FROM order",
     "result": "ERROR: syntax error at or near order"},
    {"turn": 2, "inputs": "the error", "decision": "SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id",
     "result": "42 rows"}
  ]}'`;
  return <Copyable text={text} />;
}
