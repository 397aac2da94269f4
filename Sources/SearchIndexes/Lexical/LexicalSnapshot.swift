/// A segment and which of its documents are no more.
struct LiveSegment: Sendable {
    let segment: LexicalSegment
    var removed = SlotSet()
    /// Sums over the removed documents: of each field the lengths, and how many are not empty.
    var removedLengths: [Int] = []
    var removedFilled: [Int] = []

    var liveCount: Int { segment.documentCount - removed.count }

    init(_ segment: LexicalSegment, removed: SlotSet = SlotSet()) {
        self.segment = segment
        removedLengths = segment.table.lengths.map { _ in 0 }
        removedFilled = removedLengths
        removed.forEach { remove($0) }
    }

    mutating func remove(_ document: Int) {
        guard document < segment.documentCount, removed.insert(document) else { return }
        for (field, lengths) in segment.table.lengths.enumerated() {
            removedLengths[field] += lengths[document]
            removedFilled[field] += lengths[document] > 0 ? 1 : 0
        }
    }
}

/// All segments at one moment, and the statistics over them: what a search works on while others add.
final class LexicalSnapshot: Sendable {
    let number: Int
    let settings: LexicalSettings
    let segments: [LiveSegment]
    /// Documents in all segments, without the removed.
    let documents: Int
    /// Of each field.
    let averageLengths: [Double]
    /// By segment and field the norm of each different length.
    let norms: [[[Double]]]

    init(number: Int, settings: LexicalSettings, segments: [LiveSegment]) {
        self.number = number
        self.settings = settings
        self.segments = segments
        documents = segments.reduce(0) { $0 + $1.liveCount }
        var averages: [Double] = []
        for field in settings.fields.indices {
            var total = 0
            var filled = 0
            for live in segments {
                let lengths = live.segment.table.lengths[field]
                total += lengths.total - live.removedLengths[field]
                filled += lengths.filled - live.removedFilled[field]
            }
            // Lucene's average is over the documents that have the field.
            let count = settings.byteNorms ? filled : documents
            averages.append(count > 0 ? Double(total) / Double(count) : 0)
        }
        averageLengths = averages
        norms = segments.map { live in
            live.segment.table.lengths.enumerated().map { field, lengths in
                lengths.distinct.map {
                    BM25.norm(
                        length: settings.byteNorms ? BM25.byteNorm(Int($0)) : Int($0), average: averages[field],
                        k1: settings.k1, b: settings.b)
                }
            }
        }
    }

    /// Returns the segment that has a label and the document's number in it, unless it was removed.
    func find(_ label: Int64) -> (segment: Int, document: Int)? {
        for (index, live) in segments.enumerated() {
            if let number = live.segment.table.number(of: label), !live.removed.contains(number) {
                return (index, number)
            }
        }
        return nil
    }
}
