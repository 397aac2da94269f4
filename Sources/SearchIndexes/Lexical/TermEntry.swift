/// What a snapshot has of something that adds to scores: a term, all terms with a beginning, or a phrase.
final class TermEntry {
    enum Source {
        case term(String)
        /// The beginning, the terms that were taken, and how many there are.
        case prefix(String, [String], all: Int)
        case phrase([(term: String, offset: Int)])

        /// As a person reads it.
        var shown: String {
            switch self {
            case .term(let term): term
            case .prefix(let prefix, _, _): prefix + "*"
            case .phrase(let terms): "\"" + terms.map(\.term).joined(separator: " ") + "\""
            }
        }
    }

    let source: Source
    /// By segment and field.
    let lists: [PostingList?]
    /// Of each field: documents that have it, and idf.
    let frequencies: [Int]
    let idfs: [Double]
    let byteCount: Int

    private init(_ source: Source, lists: [PostingList?], frequencies: [Int], idfs: [Double]) {
        self.source = source
        self.lists = lists
        self.frequencies = frequencies
        self.idfs = idfs
        byteCount = lists.reduce(200) { $0 + ($1?.byteCount ?? 0) }
    }

    func list(_ segment: Int, _ field: Int) -> PostingList? { lists[segment * frequencies.count + field] }

    private static func norms(_ snapshot: LexicalSnapshot, _ segment: Int, _ field: Int) -> PostingList.Norms {
        PostingList.Norms(
            codes: snapshot.segments[segment].segment.table.lengths[field].codes,
            norms: snapshot.norms[segment][field])
    }

    /// Returns a term.
    static func term(_ term: String, in snapshot: LexicalSnapshot) throws(SegmentError) -> TermEntry {
        let fields = snapshot.settings.fields
        var blocks = [PostingBlocks?](repeating: nil, count: snapshot.segments.count * fields.count)
        var frequencies = [Int](repeating: 0, count: fields.count)
        for (index, live) in snapshot.segments.enumerated() {
            for field in fields.indices {
                guard let record = try live.segment.dictionary.find([UInt8(field)] + term.utf8) else { continue }
                let found = try live.segment.blocks(of: record)
                blocks[index * fields.count + field] = found
                frequencies[field] += found.count
                if live.removed.count > 0 { frequencies[field] -= try found.count(in: live.removed) }
            }
        }
        let idfs = frequencies.map { BM25.idf(documents: snapshot.documents, with: $0) }
        var lists: [PostingList?] = []
        for (index, found) in blocks.enumerated() {
            let (segment, field) = index.quotientAndRemainder(dividingBy: fields.count)
            if let found {
                lists.append(
                    try PostingList(
                        found, norms(snapshot, segment, field), scale: idfs[field] * fields[field].boost,
                        place: snapshot.segments[segment].segment.place))
            } else {
                lists.append(nil)
            }
        }
        return TermEntry(.term(term), lists: lists, frequencies: frequencies, idfs: idfs)
    }

    /// Returns the entry of a phrase, which scores as a term that occurs where the phrase does, with the sum of its
    /// terms' idf (as in Lucene).
    static func phrase(
        _ terms: [(term: String, offset: Int)], in snapshot: LexicalSnapshot, idfs: [Double]
    ) throws(SegmentError) -> TermEntry {
        let fields = snapshot.settings.fields
        var frequencies = [Int](repeating: 0, count: fields.count)
        var lists: [PostingList?] = []
        for (index, live) in snapshot.segments.enumerated() {
            for field in fields.indices {
                guard var walker = try PhraseWalker(live.segment, field: field, terms: terms) else {
                    lists.append(nil)
                    continue
                }
                let found = try walker.all()
                frequencies[field] += found.count { !live.removed.contains(Int($0.document)) }
                lists.append(
                    found.isEmpty
                        ? nil
                        : PostingList(
                            found, norms(snapshot, index, field), scale: idfs[field] * fields[field].boost))
            }
        }
        return TermEntry(.phrase(terms), lists: lists, frequencies: frequencies, idfs: idfs)
    }

    /// Maximum number of words that match a prefix, and of their postings to read.
    static let prefixTerms = 64
    static let prefixPostings = 1 << 19

    /// Returns the entry of a prefix, which scores as one term that occurs where any of its words does: the
    /// ``prefixTerms`` most frequent ones.
    static func prefix(
        _ prefix: String, with whole: [String], in snapshot: LexicalSnapshot
    ) throws(SegmentError) -> TermEntry {
        let fields = snapshot.settings.fields
        let (taken, all) = try expand(prefix, with: whole, in: snapshot)
        var frequencies = [Int](repeating: 0, count: fields.count)
        var merged: [[(document: UInt32, frequency: UInt32)]] = []
        for live in snapshot.segments {
            for field in fields.indices {
                var sums = PostingSums(documents: live.segment.documentCount)
                for term in taken {
                    guard var walker = try PositionWalker(live.segment, field: field, term: term) else { continue }
                    try sums.add(&walker)
                }
                let found = sums.finish()
                frequencies[field] += found.count
                if live.removed.count > 0 {
                    frequencies[field] -= found.count { live.removed.contains(Int($0.document)) }
                }
                merged.append(found)
            }
        }
        let idfs = frequencies.map { BM25.idf(documents: snapshot.documents, with: $0) }
        let lists: [PostingList?] = merged.enumerated().map { index, found in
            let (segment, field) = index.quotientAndRemainder(dividingBy: fields.count)
            guard !found.isEmpty else { return nil }
            return PostingList(found, norms(snapshot, segment, field), scale: idfs[field] * fields[field].boost)
        }
        return TermEntry(.prefix(prefix, taken, all: all), lists: lists, frequencies: frequencies, idfs: idfs)
    }

    private static func expand(
        _ prefix: String, with whole: [String], in snapshot: LexicalSnapshot
    ) throws(SegmentError) -> (taken: [String], all: Int) {
        var counts: [[UInt8]: Int] = [:]
        let bytes = Array(prefix.utf8)
        let several = snapshot.segments.count * snapshot.settings.fields.count > 1
        // Of one list only the most frequent are kept while it is read.
        var floor = 0
        for live in snapshot.segments {
            for field in snapshot.settings.fields.indices {
                let first = [UInt8(field)] + bytes
                try live.segment.dictionary.forEach(from: first) { (key, record) throws(SegmentError) in
                    guard key.starts(with: first) else { return false }
                    if several || record.frequency >= floor {
                        counts[Array(key.dropFirst()), default: 0] += record.frequency
                    }
                    if !several, counts.count >= 8 * prefixTerms {
                        floor = counts.values.sorted(by: >)[prefixTerms - 1]
                        counts = counts.filter { $0.value >= floor }
                        if counts.count >= 4 * prefixTerms { floor += 1 }
                    }
                    return true
                }
            }
        }
        let best = counts.sorted {
            $0.value != $1.value ? $0.value > $1.value : TermDictionary.precedes($0.key, $1.key)
        }
        var taken = whole
        var budget = prefixPostings
        for (key, count) in best.prefix(prefixTerms) {
            let term = String(decoding: key, as: UTF8.self)
            if whole.contains(term) { continue }
            if budget < count, !taken.isEmpty { continue }
            budget -= count
            taken.append(term)
        }
        return (taken, counts.count)
    }
}

extension PostingBlocks {
    /// How many of the documents are in a set.
    func count(in set: SlotSet) throws(SegmentError) -> Int {
        let size = SegmentWriter.blockSize
        let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * size)
        defer { documents.deallocate() }
        var count = 0
        for index in blocks.indices {
            try read(index, documents: documents, frequencies: documents + size)
            for place in 0..<blocks[index].count where set.contains(Int(documents[place])) { count += 1 }
        }
        return count
    }
}

/// Sums of frequencies by document.
struct PostingSums {
    private var dense: [UInt32] = []
    private var pairs: [UInt64] = []
    private let documents: Int

    init(documents: Int) { self.documents = documents }

    mutating func add(_ walker: inout PositionWalker) throws(SegmentError) {
        if dense.isEmpty, pairs.count + walker.count > max(documents / 16, 64) {
            dense = [UInt32](repeating: 0, count: documents)
            for pair in pairs { dense[Int(pair >> 32)] &+= UInt32(truncatingIfNeeded: pair) }
            pairs = []
        }
        if dense.isEmpty {
            try walker.forEach { document, frequency in pairs.append(UInt64(document) << 32 | UInt64(frequency)) }
        } else {
            try walker.forEach { document, frequency in dense[Int(document)] &+= frequency }
        }
    }

    /// Returns all documents with a frequency, ascending.
    mutating func finish() -> [(document: UInt32, frequency: UInt32)] {
        var found: [(document: UInt32, frequency: UInt32)] = []
        if dense.isEmpty {
            pairs.sort()
            for pair in pairs {
                let document = UInt32(pair >> 32)
                let frequency = UInt32(truncatingIfNeeded: pair)
                if let last = found.indices.last, found[last].document == document {
                    found[last].frequency &+= frequency
                } else {
                    found.append((document, frequency))
                }
            }
        } else {
            for (document, frequency) in dense.enumerated() where frequency > 0 {
                found.append((UInt32(document), frequency))
            }
        }
        return found
    }
}
