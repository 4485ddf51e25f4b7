import { isMainThread } from 'node:worker_threads';

import { MilvusClient } from '@zilliz/milvus2-sdk-node';
import kafkajs, { type Producer, type ProducerBatch, type RecordMetadata } from 'kafkajs';

/** The same bugs as standalone-bugs.ts, in what a gateway sends to Kafka and an indexer to Milvus. */
const everyNth = 10;
let uploads = 0;
let writes = 0;

if (isMainThread) {
  const { producer } = kafkajs.Kafka.prototype;
  kafkajs.Kafka.prototype.producer = function (options) {
    return loseUploads(producer.call(this, options));
  };
  const { upsert } = MilvusClient.prototype;
  MilvusClient.prototype.upsert = function (request) {
    doubleInsight((request as { data: Row[] }).data);
    return upsert.call(this, request);
  };
}

/** Some acknowledged uploads never reach the broker. */
function loseUploads(producer: Producer): Producer {
  const { sendBatch } = producer;
  producer.sendBatch = async (batch: ProducerBatch) => {
    const sent = (batch.topicMessages ?? []).filter(
      ({ topic }) => !topic.includes('uploads.v1') || ++uploads % everyNth !== 0,
    );
    const lost = (batch.topicMessages ?? []).filter((one) => !sent.includes(one));
    const answer = sent.length === 0 ? [] : await sendBatch({ ...batch, topicMessages: sent });
    return [
      ...answer,
      ...lost.flatMap(({ topic, messages }) => messages.map(({ partition = 0 }) => acknowledge(topic, partition))),
    ];
  };
  return producer;
}

function acknowledge(topicName: string, partition: number): RecordMetadata {
  return { topicName, partition, errorCode: 0 };
}

interface Row {
  id: string;
  ordinal: number;
  type?: string;
}

function doubleInsight(rows: Row[]): void {
  const last = rows.at(-1);
  if (last?.type !== 'insight' || ++writes % everyNth !== 0) return;
  rows.push({ ...last, ordinal: last.ordinal + 1, id: last.id.replace(/\d+$/, String(last.ordinal + 1)) });
}
