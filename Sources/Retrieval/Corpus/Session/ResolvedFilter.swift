internal import GRDB
internal import SearchIndexes
internal import Synchronization

/// The chunks that a search may find, with the slots that they have in each vector index.
struct ResolvedFilter: Sendable {
    let corpus: Int64
    let namespaces: [String]
    /// Revision of the corpus for which the filter was resolved.
    var revision: Int64
    /// Ascending.
    let chunks: [Int64]
    private let slots = SlotCache()

    /// Reads the searched chunks of documents in namespaces that a filter lets through.
    init(_ corpus: Int64, _ namespaces: [String], _ filter: MetadataFilter?, _ db: Database) throws {
        self.corpus = corpus
        self.namespaces = namespaces
        let (condition, names) = CorpusStore.namespaceCondition(namespaces)
        let (sql, values) = filter?.sql(corpus: corpus) ?? ("1", [])
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT c.id, (SELECT revision FROM retrieval_corpus WHERE id = d.corpus) FROM retrieval_document d
                JOIN retrieval_chunk c ON c.document = d.id AND c.indexed = 1
                WHERE d.corpus = ? AND d.duplicate IS NULL AND \(condition == "0" || condition == "1" ? condition : "d." + condition) AND (\(sql))
                """,
            arguments: [corpus] + StatementArguments(names) + StatementArguments(values))
        var chunks: [Int64] = []
        var revision: Int64 = 0
        while let row = try rows.next() {
            if chunks.isEmpty { revision = row[1] }
            chunks.append(row[0])
        }
        self.chunks = chunks.sorted()
        self.revision = revision
    }

    init(_ corpus: Int64, _ namespaces: [String], _ revision: Int64, _ chunks: [Int64]) {
        (self.corpus, self.namespaces, self.revision, self.chunks) = (corpus, namespaces, revision, chunks)
    }

    func fits(_ corpus: Int64, _ namespaces: [String], _ revision: Int64) -> Bool {
        self.corpus == corpus && self.namespaces == namespaces && self.revision == revision
    }

    func contains(_ chunk: Int64) -> Bool {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle] < chunk { low = middle + 1 } else { high = middle }
        }
        return low < chunks.count && chunks[low] == chunk
    }

    /// Returns the slots of the chunks in the index of a space, those of `retired` left out; found once.
    func slots(in reader: SpaceReader, _ part: CorpusSnapshot.SpacePart) -> SlotSet {
        slots.of(part.seal) {
            var set = SlotSet(capacity: reader.slotCount)
            switch reader {
            case .memory(let index):
                for chunk in chunks where !part.retired.contains(chunk) {
                    if let slot = index.rows.slot(of: chunk) { set.insert(slot) }
                }
            case .file(let file, _, _):
                for (slot, label) in file.labels.enumerated()
                where !file.removed.contains(slot) && !part.retired.contains(label) && contains(label) {
                    set.insert(slot)
                }
            }
            return set
        }
    }
}

/// Slots by the seal of the index that they are of.
private final class SlotCache: Sendable {
    private let sets = Mutex<[UInt64: SlotSet]>([:])

    func of(_ seal: UInt64, _ make: () -> SlotSet) -> SlotSet {
        sets.withLock { sets in
            if let known = sets[seal] { return known }
            let made = make()
            sets[seal] = made
            return made
        }
    }
}
