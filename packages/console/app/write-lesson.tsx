import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { nameOf, queryText, useQuery } from './address';
import { api } from './api';
import { complain, say } from './notices';
import { Screen, To } from './parts';
import type { ScreenContext } from './screen-context';

export function WriteLesson({ collection }: ScreenContext) {
  const [isBusy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const query = useQuery();

  async function write(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const given = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()] as const);
    const lesson = Object.fromEntries(given.filter(([, value]) => value !== ''));
    try {
      const { id } = await api.writeLesson({ tenant_id: collection, ...lesson });
      say('Stored. Agents are told it from now on.');
      navigate(`/lessons/${id}${queryText({ c: collection })}`);
    } catch (error) {
      setBusy(false);
      complain(error);
    }
  }

  return (
    <Screen
      title="Write a lesson"
      about={
        <>
          <To path="/lessons">Lessons</To> / for agents that work with {nameOf(collection)}. It is told with the head
          “from your team”.
        </>
      }
    >
      <form class="card form" onSubmit={(event) => void write(event)}>
        <label class="field">
          <span>For which task? Word it as a user would.</span>
          <textarea
            name="applies_when"
            rows={2}
            required
            maxLength={2000}
            autofocus
            defaultValue={query.get('task')}
            placeholder="How many orders did each customer place?"
          />
        </label>
        <label class="field">
          <span>What should the agent know or do?</span>
          <textarea
            name="text"
            rows={3}
            required
            maxLength={2000}
            placeholder="Test customers have ids below 100. Leave them out."
          />
        </label>
        <label class="field">
          <span>Example (optional)</span>
          <textarea
            name="example"
            class="code"
            rows={3}
            maxLength={4000}
            placeholder="SELECT … WHERE customer_id >= 100"
          />
        </label>
        <div class="two">
          <label class="field">
            <span>Title (optional)</span>
            <input name="title" maxLength={200} />
          </label>
          <label class="field">
            <span>Kind of agent (optional: all kinds)</span>
            <input name="agent_type" maxLength={200} />
          </label>
        </div>
        <div class="buttons">
          <button type="submit" class="primary" disabled={isBusy}>
            Store the lesson
          </button>
        </div>
      </form>
    </Screen>
  );
}
