internal import Glibc

/// What a dictionary says of a term.
struct TermRecord {
    /// Documents of the segment that have it, removed ones too.
    var frequency: Int
    /// Where its postings are in their stream.
    var offset: Int
    var byteCount: Int
}

/// The sorted terms of a segment: blocks of 16, in each the first term whole and of the others what differs from the
/// one before.
///
/// Layout: counts of terms and bytes; the blocks, each after the offset of its postings; where each block begins, 4
/// bytes each. A term is the length it shares, the length of the rest, the rest, its document frequency, its postings'
/// bytes.
struct TermDictionary: Sendable {
    let count: Int
    private let piece: SegmentPiece
    private let base: Int
    private let size: Int
    private let blockCount: Int
    private let place: String

    init(_ piece: SegmentPiece, _ place: String) throws(SegmentError) {
        self.piece = piece
        self.place = place
        let start = UnsafePointer(piece.bytes.assumingMemoryBound(to: UInt8.self))
        var reader = VariableReader(start, start + piece.count)
        count = reader.read()
        size = reader.read()
        base = start.distance(to: reader.next)
        let per = SegmentWriter.termsPerBlock
        guard !reader.failed, count >= 0, size >= 0, size <= piece.count, count <= size else {
            throw SegmentError(place, problem: "invalid dictionary")
        }
        blockCount = (count + per - 1) / per
        guard base + size + 4 * blockCount == piece.count else {
            throw SegmentError(place, problem: "the dictionary does not end where expected")
        }
    }

    private func block(_ index: Int) throws(SegmentError) -> Cursor {
        let start = Int(UInt32(littleEndian: (piece.bytes + base + size + 4 * index).loadUnaligned(as: UInt32.self)))
        guard start < size else { throw SegmentError(place, problem: "the dictionary points outside the segment") }
        let first = UnsafePointer((piece.bytes + base + start).assumingMemoryBound(to: UInt8.self))
        let end = UnsafePointer((piece.bytes + base + size).assumingMemoryBound(to: UInt8.self))
        return Cursor(
            reader: VariableReader(first, end), left: min(SegmentWriter.termsPerBlock, count - index * 16), place: place
        )
    }

    /// Walks the terms of a block.
    private struct Cursor {
        var reader: VariableReader
        var left: Int
        var key: [UInt8] = []
        var record = TermRecord(frequency: 0, offset: 0, byteCount: 0)
        var started = false
        let place: String

        init(reader: VariableReader, left: Int, place: String) {
            self.reader = reader
            self.left = left
            self.place = place
        }

        mutating func next() throws(SegmentError) -> Bool {
            guard left > 0 else { return false }
            left -= 1
            if started {
                record.offset = record.offset &+ record.byteCount
            } else {
                record.offset = reader.read()
                started = true
            }
            let shared = reader.read()
            let rest = reader.read()
            guard !reader.failed, shared >= 0, shared <= key.count, rest >= 0, rest <= reader.end - reader.next else {
                throw SegmentError(place, problem: "a term is longer than the dictionary")
            }
            key.removeSubrange(shared...)
            key.append(contentsOf: UnsafeBufferPointer(start: reader.next, count: rest))
            reader.next += rest
            record.frequency = reader.read()
            record.byteCount = reader.read()
            guard !reader.failed, !key.isEmpty, record.frequency > 0, record.offset >= 0, record.byteCount > 0 else {
                throw SegmentError(place, problem: "a term in the dictionary has no postings")
            }
            return true
        }
    }

    /// Returns the last block whose first key is not after `key`.
    private func blockIndex(of key: [UInt8]) throws(SegmentError) -> Int {
        var low = 0
        var high = blockCount
        while low < high {
            let middle = (low + high) >> 1
            var cursor = try block(middle)
            _ = try cursor.next()
            if Self.precedes(key, cursor.key) { high = middle } else { low = middle + 1 }
        }
        return max(low - 1, 0)
    }

    /// Returns the record of a key, the field's number followed by the term.
    func find(_ key: [UInt8]) throws(SegmentError) -> TermRecord? {
        guard count > 0 else { return nil }
        defer { withExtendedLifetime(piece) {} }
        var cursor = try block(try blockIndex(of: key))
        while try cursor.next() {
            if cursor.key == key { return cursor.record }
            if Self.precedes(key, cursor.key) { return nil }
        }
        return nil
    }

    /// Calls `body` with all keys from `first` on, in order, until it returns false.
    func forEach(
        from first: [UInt8] = [], _ body: (_ key: [UInt8], _ record: TermRecord) throws(SegmentError) -> Bool
    ) throws(SegmentError) {
        guard count > 0 else { return }
        defer { withExtendedLifetime(piece) {} }
        for index in try blockIndex(of: first)..<blockCount {
            var cursor = try block(index)
            while try cursor.next() {
                if Self.precedes(cursor.key, first) { continue }
                guard try body(cursor.key, cursor.record) else { return }
            }
        }
    }

    static func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        let order = memcmp(one, other, min(one.count, other.count))
        return order != 0 ? order < 0 : one.count < other.count
    }
}

/// Walks a whole dictionary term by term, for merging.
struct TermWalk {
    private let dictionary: TermDictionary
    private var pending: [(key: [UInt8], record: TermRecord)] = []
    private var next = 0
    private var last: [UInt8]?

    init(_ dictionary: TermDictionary) { self.dictionary = dictionary }

    /// Returns the next term; `nil` after the last.
    mutating func read() throws(SegmentError) -> (key: [UInt8], record: TermRecord)? {
        if next == pending.count {
            let batch = 4096
            var found: [(key: [UInt8], record: TermRecord)] = []
            let after = last
            try dictionary.forEach(from: after ?? []) { (key, record) throws(SegmentError) in
                if let after, key == after { return true }
                found.append((key, record))
                return found.count < batch
            }
            pending = found
            next = 0
            if let end = found.last { last = end.key }
        }
        guard next < pending.count else { return nil }
        next += 1
        return pending[next - 1]
    }
}
