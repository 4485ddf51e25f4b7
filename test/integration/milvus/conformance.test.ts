import { describeVectorStore } from '@whetstone/indexer/conformance';

import { startMilvusUnderTest } from './milvus-store.js';

describeVectorStore('the vector store on Milvus', startMilvusUnderTest, { interleavings: 100 });
