import { describeVectorStore } from '@whetstone/indexer/conformance';

import { isFull } from '../../faults/extent.js';
import { startMilvusUnderTest } from './milvus-store.js';

describeVectorStore('the vector store on Milvus', startMilvusUnderTest, { interleavings: isFull ? 300 : 10 });
