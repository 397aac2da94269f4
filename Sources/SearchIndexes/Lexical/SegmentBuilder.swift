internal import Glibc

/// Collects documents and makes a segment of them.
///
/// Texts become one long array of term numbers, four bytes a word, in which positions are implied. A counting sort
/// brings it into the order of terms.
final class SegmentBuilder {
    private let analysis: TextAnalysis
    private let fields: Int
    private var tokens: UnsafeMutablePointer<UInt32>
    private var tokenCount = 0
    private var tokenCapacity = 1 << 12
    private var labels: [Int64] = []
    /// Of each document the ends of its fields in ``tokens``, and the fields' numbers of terms.
    private var ends: [Int] = []
    private var lengths: [UInt32] = []

    /// A word that is lost: it has a position and no term.
    private static let gap = UInt32.max

    init(_ settings: LexicalSettings) {
        analysis = TextAnalysis(settings.analyzer)
        fields = settings.fields.count
        tokens = .allocate(capacity: tokenCapacity)
    }

    deinit { tokens.deallocate() }

    var documentCount: Int { labels.count }

    /// Memory that it has and that it will take to make the segment.
    var byteCount: Int { 12 * tokenCount + analysis.byteCount + labels.count * (16 + 12 * fields) }

    /// Adds the next field of the document that ``finish(_:)`` will end.
    func add(_ text: UnsafeBufferPointer<UInt8>) {
        // No text has more words than bytes; grams are the exception.
        let most = text.count + 1
        reserve(tokenCount + most * (analysis.analyzer.grams?.count ?? 1))
        var next = tokenCount
        var length: UInt32 = 0
        analysis.forEachWord(in: text) { outcome, _, _ in
            let isTerm = outcome >= 0
            tokens[next] = isTerm ? UInt32(outcome) : Self.gap
            length &+= isTerm ? 1 : 0
            next &+= 1
        }
        tokenCount = next
        ends.append(next)
        lengths.append(length)
    }

    func finish(_ label: Int64) { labels.append(label) }

    private func reserve(_ count: Int) {
        guard count > tokenCapacity else { return }
        tokenCapacity = max(count, tokenCapacity + tokenCapacity >> 1)
        let moved = UnsafeMutablePointer<UInt32>.allocate(capacity: tokenCapacity)
        moved.update(from: tokens, count: tokenCount)
        tokens.deallocate()
        tokens = moved
    }

    /// Makes the segment of all documents but those that were added again or removed since.
    ///
    /// - Parameter removed: Numbers of documents, in the order of adding, that are not wanted.
    func makeSegment(number: Int, without removed: SlotSet) throws(SegmentError) -> LexicalSegment? {
        let order = labels.indices.filter { !removed.contains($0) }.sorted { labels[$0] < labels[$1] }
        guard !order.isEmpty else { return nil }
        let table = DocumentTable(
            labels: order.map { labels[$0] },
            lengths: (0..<fields).map { field in .init(order.map { lengths[$0 * fields + field] }) })
        let terms = sortedTerms()
        var writer = SegmentWriter()
        for field in 0..<fields { try write(field, order, terms, table, &writer) }
        return try LexicalSegment(number: number, parts: writer.finish(documents: table), fields: fields)
    }

    /// Returns all term numbers in the order of the terms' bytes.
    private func sortedTerms() -> [Int] {
        struct Key {
            var head: UInt64
            var number: Int
        }
        var keys: [Key] = (0..<analysis.termCount).map { number in
            analysis.withTerm(number) { term in
                var head: UInt64 = 0
                for index in 0..<min(8, term.count) { head |= UInt64(term[index]) << UInt64(56 - 8 * index) }
                return Key(head: head, number: number)
            }
        }
        keys.sort { one, other in
            if one.head != other.head { return one.head < other.head }
            return analysis.withTerm(one.number) { first in
                analysis.withTerm(other.number) { second in
                    let order = memcmp(first.baseAddress!, second.baseAddress!, min(first.count, second.count))
                    return order != 0 ? order < 0 : first.count < second.count
                }
            }
        }
        return keys.map(\.number)
    }

    private func write(
        _ field: Int, _ order: [Int], _ terms: [Int], _ table: DocumentTable, _ writer: inout SegmentWriter
    ) throws(SegmentError) {
        func run(_ document: Int) -> Range<Int> {
            let place = document * fields + field
            return (place == 0 ? 0 : ends[place - 1])..<ends[place]
        }
        // Where each term's postings begin; then where its next goes; at last where they end.
        var starts = [Int](repeating: 0, count: terms.count + 1)
        var total = 0
        starts.withUnsafeMutableBufferPointer { starts in
            for document in order {
                for token in run(document) where tokens[token] != Self.gap { starts[Int(tokens[token])] += 1 }
            }
            for term in starts.indices {
                let count = starts[term]
                starts[term] = total
                total += count
            }
        }
        guard total > 0 else { return }
        let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: total)
        let positions = UnsafeMutablePointer<UInt32>.allocate(capacity: total)
        defer {
            documents.deallocate()
            positions.deallocate()
        }
        starts.withUnsafeMutableBufferPointer { starts in
            for (number, document) in order.enumerated() {
                let run = run(document)
                for token in run where tokens[token] != Self.gap {
                    let place = starts[Int(tokens[token])]
                    starts[Int(tokens[token])] = place + 1
                    documents[place] = UInt32(number)
                    positions[place] = UInt32(token - run.lowerBound)
                }
            }
        }
        let codes = table.lengths[field].codes
        var frequencies: [UInt32] = []
        for term in terms {
            let start = term == 0 ? 0 : starts[term - 1]
            let count = starts[term] - start
            if count == 0 { continue }
            // Documents that repeat become one with a frequency, in place.
            let own = documents + start
            frequencies.removeAll(keepingCapacity: true)
            var different = 0
            var place = 0
            while place < count {
                let document = own[place]
                let first = place
                repeat { place += 1 } while place < count && own[place] == document
                own[different] = document
                different += 1
                frequencies.append(UInt32(place - first))
            }
            try add(
                term, field, UnsafeBufferPointer(start: own, count: different), frequencies, positions + start, codes,
                &writer)
        }
    }

    private func add(
        _ term: Int, _ field: Int, _ documents: UnsafeBufferPointer<UInt32>, _ frequencies: [UInt32],
        _ positions: UnsafePointer<UInt32>, _ codes: [UInt32], _ writer: inout SegmentWriter
    ) throws(SegmentError) {
        var failure: SegmentError?
        frequencies.withUnsafeBufferPointer { frequencies in
            codes.withUnsafeBufferPointer { codes in
                analysis.withTerm(term) { term in
                    do throws(SegmentError) {
                        try writer.add(
                            field: field, term: term, documents: documents, frequencies: frequencies,
                            positions: positions, codes: codes.baseAddress!)
                    } catch { failure = error }
                }
            }
        }
        if let failure { throw failure }
    }
}
