internal import Bytes

/// The documents of a segment and their lengths.
struct DocumentTable {
    /// Ascending: a document's number within the segment is its place here.
    var labels: [Int64] = []
    /// Document lengths by field.
    var lengths: [Lengths] = []

    /// Lengths of one field: few different ones, and for each document the rank of its.
    struct Lengths {
        var distinct: [UInt32]
        var codes: [UInt32]
        /// The sum of all, and how many are not 0.
        private(set) var total = 0
        private(set) var filled = 0

        init(_ lengths: [UInt32]) {
            distinct = Set(lengths).sorted()
            if let longest = distinct.last, longest < 1 << 20 {
                var ranks = [UInt32](repeating: 0, count: Int(longest) + 1)
                for (rank, length) in distinct.enumerated() { ranks[Int(length)] = UInt32(rank) }
                codes = lengths.map { ranks[Int($0)] }
            } else {
                var ranks: [UInt32: UInt32] = [:]
                for (rank, length) in distinct.enumerated() { ranks[length] = UInt32(rank) }
                codes = lengths.map { ranks[$0]! }
            }
            count()
        }

        init(distinct: [UInt32], codes: [UInt32]) {
            self.distinct = distinct
            self.codes = codes
            count()
        }

        private mutating func count() {
            for code in codes where Int(code) < distinct.count {
                let length = Int(distinct[Int(code)])
                total += length
                filled += length > 0 ? 1 : 0
            }
        }

        subscript(document: Int) -> Int { Int(distinct[Int(codes[document])]) }
    }

    func number(of label: Int64) -> Int? {
        var low = 0
        var high = labels.count
        while low < high {
            let middle = (low + high) >> 1
            if labels[middle] < label { low = middle + 1 } else { high = middle }
        }
        return low < labels.count && labels[low] == label ? low : nil
    }

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVariable(labels.count)
        bytes.appendFixed(labels.first ?? 0)
        for index in labels.indices.dropFirst() { bytes.appendVariable(Int(labels[index] &- labels[index - 1])) }
        bytes.appendVariable(lengths.count)
        for field in lengths {
            bytes.appendVariable(field.distinct.count)
            var last = 0
            for length in field.distinct {
                bytes.appendVariable(Int(length) - last)
                last = Int(length)
            }
            for code in field.codes { bytes.appendVariable(Int(code)) }
        }
        return bytes
    }

    /// - Parameter fields: How many there have to be.
    init(decoding piece: SegmentPiece, fields: Int, _ place: String) throws(SegmentError) {
        func failure(_ problem: String) -> SegmentError { SegmentError(place, problem: problem) }
        let start = UnsafePointer(piece.bytes.assumingMemoryBound(to: UInt8.self))
        var reader = VariableReader(start, start + piece.count)
        let count = reader.read()
        guard count >= 0, count <= piece.count, reader.end - reader.next >= 8 else {
            throw failure("invalid document count \(count) for a segment of this size")
        }
        var label = Int64(littleEndian: UnsafeRawPointer(reader.next).loadUnaligned(as: Int64.self))
        reader.next += 8
        labels.reserveCapacity(count)
        if count > 0 { labels.append(label) }
        for _ in 0..<max(count - 1, 0) {
            let (next, overflow) = label.addingReportingOverflow(Int64(reader.read()))
            guard !overflow, next > label else { throw failure("the labels are not in ascending order") }
            label = next
            labels.append(label)
        }
        guard reader.read() == fields else { throw failure("the fields do not match the index") }
        for _ in 0..<fields { lengths.append(try Self.lengths(&reader, count, place)) }
        guard !reader.failed, reader.next == reader.end else {
            throw failure("the documents do not end at the end of the segment")
        }
        withExtendedLifetime(piece) {}
    }

    private static func lengths(
        _ reader: inout VariableReader, _ count: Int, _ place: String
    ) throws(SegmentError) -> Lengths {
        let different = reader.read()
        guard different >= 0, different <= count, (different > 0) == (count > 0) else {
            throw SegmentError(place, problem: "the number of distinct lengths does not fit the number of documents")
        }
        var distinct: [UInt32] = []
        distinct.reserveCapacity(different)
        var length = 0
        for _ in 0..<different {
            length = length &+ reader.read()
            guard length >= 0, length <= UInt32.max, distinct.last.map({ $0 < length }) ?? true else {
                throw SegmentError(place, problem: "the lengths are not in ascending order")
            }
            distinct.append(UInt32(length))
        }
        var codes: [UInt32] = []
        codes.reserveCapacity(count)
        var highest = 0
        for _ in 0..<count {
            let code = reader.read()
            highest = max(highest, code)
            codes.append(UInt32(truncatingIfNeeded: code))
        }
        guard highest < max(different, 1) else {
            throw SegmentError(place, problem: "a length is not in the length list")
        }
        return Lengths(distinct: distinct, codes: codes)
    }

    init(labels: [Int64], lengths: [Lengths]) {
        self.labels = labels
        self.lengths = lengths
    }
}
