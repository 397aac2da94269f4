/// A part of a document with a weight of its own, such as its title.
public struct LexicalField: Hashable, Sendable {
    public var name: String
    /// Factor for the scores of the field, from 0 to 1,000.
    public var boost: Double

    public init(_ name: String, boost: Double = 1) {
        self.name = name
        self.boost = boost
    }
}

/// Settings for analysis and scoring of a lexical index.
///
/// A document's score is the sum over its fields of the field's boost times the field's BM25, each field with its own
/// document frequencies and lengths. With one field of boost 1 that is plain BM25.
public struct LexicalSettings: Hashable, Sendable {
    public var analyzer: Analyzer
    /// 1 to 64 fields with different names.
    public var fields: [LexicalField]
    /// Saturation of term frequencies in BM25.
    public var k1: Double
    /// Length normalization in BM25, from 0 (none) to 1 (full).
    public var b: Double
    /// Whether lengths are rounded as Lucene keeps them in a byte.
    public var byteNorms: Bool
    /// Bytes of memory that documents may take until they become a segment.
    public var memoryBudget: Int

    public init(
        analyzer: Analyzer = .english, fields: [LexicalField] = [LexicalField("text")], k1: Double = 0.9,
        b: Double = 0.4, byteNorms: Bool = false, memoryBudget: Int = 128 << 20
    ) {
        self.analyzer = analyzer
        self.fields = fields
        self.k1 = k1
        self.b = b
        self.byteNorms = byteNorms
        self.memoryBudget = memoryBudget
    }

    static let fieldLimit = 64

    func check() throws(SegmentError) {
        func refuse(_ problem: String, _ remedy: String) -> SegmentError {
            SegmentError("lexical index", problem: problem, remedy: remedy)
        }
        guard (1...Self.fieldLimit).contains(fields.count) else {
            throw refuse("\(fields.count) fields are unsupported", "Use 1 to \(Self.fieldLimit) fields.")
        }
        guard Set(fields.map(\.name)).count == fields.count else {
            throw refuse("two fields have the same name", "Give each field a different name.")
        }
        for field in fields where !(field.boost >= 0 && field.boost <= 1000) {
            throw refuse("the boost \(field.boost) of \(field.name) is out of range", "Use 0 to 1000.")
        }
        guard k1 >= 0, k1 <= 1000, b >= 0, b <= 1 else {
            throw refuse("k1 \(k1) or b \(b) is out of range", "Use k1 from 0 to 1000 and b from 0 to 1.")
        }
        guard Analyzer.named(analyzer.name) == analyzer else {
            throw refuse("the analyzer has no name", "Use one that Analyzer.named returns.")
        }
    }
}

/// A filter for the documents that may be found.
public enum LabelFilter: Sendable {
    /// Labels in ascending order.
    case sorted([Int64])
    case set(Set<Int64>)
    case check(@Sendable (Int64) -> Bool)

    public func allows(_ label: Int64) -> Bool {
        switch self {
        case .set(let labels): return labels.contains(label)
        case .check(let check): return check(label)
        case .sorted(let labels):
            var low = 0
            var high = labels.count
            while low < high {
                let middle = (low + high) >> 1
                if labels[middle] < label { low = middle + 1 } else { high = middle }
            }
            return low < labels.count && labels[low] == label
        }
    }
}

/// A document that a search found.
public struct LexicalHit: Hashable, Sendable {
    public var label: Int64
    /// Higher is better.
    public var score: Double

    public init(label: Int64, score: Double) {
        self.label = label
        self.score = score
    }

    /// Higher scores first; of equal ones the smaller label.
    @inlinable
    public func isBefore(_ other: Self) -> Bool {
        score != other.score ? score > other.score : label < other.label
    }
}
