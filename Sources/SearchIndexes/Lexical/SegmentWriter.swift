internal import Bytes

/// Writes an inverted index as four streams; terms come in ascending order of their keys.
///
/// A term's key is the number of its field in a byte, then the term. Its postings are cut into blocks of 128:
///
///     term      positions' offset, then one header per block, then the blocks
///     header    last document - the last before, bytes, bytes of positions, most promising (frequency, length) pairs
///     block     bits of gaps, bits of frequencies, gaps - 1, frequencies - 1
///     positions a posting's word positions, each as the distance from the one before
///
/// Numbers outside blocks have seven bits a byte. All postings of a term are in one piece, and so are the positions of
/// a block.
struct SegmentWriter {
    static let blockSize = 128
    /// Positions kept of a term in one document.
    static let positionLimit = 1 << 14
    /// Terms in a block of the dictionary.
    static let termsPerBlock = 16
    /// A piece ends when it has as many bytes.
    private static let pieceSize = 1 << 20

    private var terms: [UInt8] = []
    private var termBlocks: [Int] = []
    private var termCount = 0
    private var lastKey: [UInt8] = []
    private var postings = Pieces()
    private var positions = Pieces()

    private var header: [UInt8] = []
    private var blocks: [UInt8] = []
    private var numbers = [UInt32](repeating: 0, count: 2 * blockSize)
    private var best: [(frequency: UInt32, code: UInt32)] = []

    /// Bytes cut into pieces where a caller allows.
    private struct Pieces {
        var whole: [[UInt8]] = []
        var current: [UInt8] = []
        var offset = 0

        mutating func mayEnd() {
            guard current.count >= pieceSize else { return }
            whole.append(current)
            offset += current.count
            current = []
        }

        mutating func finish() -> [SegmentPiece] {
            if !current.isEmpty || whole.isEmpty { whole.append(current) }
            current = []
            return whole.map(SegmentPiece.init)
        }
    }

    /// Adds the postings of a term.
    ///
    /// - Parameters:
    ///   - documents: Ascending; at least one.
    ///   - frequencies: How often the term is in each, at least once.
    ///   - positions: Of each document's occurrences, as many as its frequency.
    ///   - codes: Of each document of the segment, the rank of its length.
    mutating func add(
        field: Int, term: UnsafeBufferPointer<UInt8>, documents: UnsafeBufferPointer<UInt32>,
        frequencies: UnsafeBufferPointer<UInt32>, positions places: UnsafePointer<UInt32>,
        codes: UnsafePointer<UInt32>
    ) throws(SegmentError) {
        header.removeAll(keepingCapacity: true)
        blocks.removeAll(keepingCapacity: true)
        header.appendVariable(positions.offset + positions.current.count)
        var place = places
        var before = -1
        var first = 0
        while first < documents.count {
            let count = min(Self.blockSize, documents.count - first)
            addBlock(documents, frequencies, first, count, before: &before, &place, codes)
            first += count
        }
        guard header.count + blocks.count <= SegmentLimits.maximumBytes else {
            throw SegmentError(
                "lexical index", problem: "a word has too many postings in one segment (\(documents.count))",
                remedy: "Use a smaller memory budget.")
        }
        addTerm(field, term, frequency: documents.count)
        postings.current.append(contentsOf: header)
        postings.current.append(contentsOf: blocks)
        postings.mayEnd()
    }

    private mutating func addBlock(
        _ documents: UnsafeBufferPointer<UInt32>, _ frequencies: UnsafeBufferPointer<UInt32>, _ first: Int,
        _ count: Int,
        before: inout Int, _ place: inout UnsafePointer<UInt32>, _ codes: UnsafePointer<UInt32>
    ) {
        let base = before
        var gaps: UInt32 = 0
        var most: UInt32 = 0
        best.removeAll(keepingCapacity: true)
        positions.mayEnd()
        let positionsBefore = positions.current.count
        for index in 0..<count {
            let document = documents[first + index]
            let frequency = frequencies[first + index]
            let gap = UInt32(Int(document) - before - 1)
            before = Int(document)
            numbers[index] = gap
            numbers[Self.blockSize + index] = frequency - 1
            gaps |= gap
            most |= frequency - 1
            promise(frequency, codes[Int(document)])
            var last: UInt32 = 0
            for occurrence in 0..<min(Int(frequency), Self.positionLimit) {
                positions.current.appendVariable(Int(place[occurrence] &- last))
                last = place[occurrence]
            }
            place += Int(frequency)
        }
        let gapWidth = PackedIntegers.width(gaps)
        let frequencyWidth = PackedIntegers.width(most)
        let blockStart = blocks.count
        blocks.append(UInt8(gapWidth))
        blocks.append(UInt8(frequencyWidth))
        numbers.withUnsafeBufferPointer {
            PackedIntegers.append($0.baseAddress!, count, width: gapWidth, to: &blocks)
            PackedIntegers.append($0.baseAddress! + Self.blockSize, count, width: frequencyWidth, to: &blocks)
        }
        header.appendVariable(before - base)
        header.appendVariable(blocks.count - blockStart)
        header.appendVariable(positions.current.count - positionsBefore)
        header.appendVariable(best.count)
        for pair in best {
            header.appendVariable(Int(pair.frequency))
            header.appendVariable(Int(pair.code))
        }
    }

    /// Keeps the pairs that no other pair beats in both frequency and shortness: whatever the average length will be,
    /// one of them has the block's greatest weight.
    private mutating func promise(_ frequency: UInt32, _ code: UInt32) {
        for pair in best where pair.frequency >= frequency && pair.code <= code { return }
        best.removeAll { $0.frequency <= frequency && $0.code >= code }
        best.append((frequency, code))
    }

    private mutating func addTerm(_ field: Int, _ term: UnsafeBufferPointer<UInt8>, frequency: Int) {
        var shared = 0
        if termCount % Self.termsPerBlock == 0 {
            termBlocks.append(terms.count)
            terms.appendVariable(postings.offset + postings.current.count)
        } else {
            while shared <= term.count, shared < lastKey.count,
                lastKey[shared] == (shared == 0 ? UInt8(field) : term[shared - 1])
            {
                shared += 1
            }
        }
        lastKey.removeSubrange(shared...)
        if shared == 0 { lastKey.append(UInt8(field)) }
        lastKey.append(contentsOf: term[max(shared - 1, 0)...])
        terms.appendVariable(shared)
        terms.appendVariable(lastKey.count - shared)
        terms.append(contentsOf: lastKey[shared...])
        terms.appendVariable(frequency)
        terms.appendVariable(header.count + blocks.count)
        termCount += 1
    }

    /// Ends the segment.
    mutating func finish(documents: DocumentTable) -> SegmentParts {
        var dictionary: [UInt8] = []
        dictionary.appendVariable(termCount)
        dictionary.appendVariable(terms.count)
        dictionary.append(contentsOf: terms)
        for start in termBlocks {
            dictionary.appendFixed(UInt32(start))
        }
        return SegmentParts(
            documents: Self.cut(documents.encoded()), terms: Self.cut(dictionary), postings: postings.finish(),
            positions: positions.finish())
    }

    private static func cut(_ bytes: [UInt8]) -> [SegmentPiece] {
        let size = 8 << 20
        if bytes.count <= size { return [SegmentPiece(bytes)] }
        return stride(from: 0, to: bytes.count, by: size).map {
            SegmentPiece([UInt8](bytes[$0..<min($0 + size, bytes.count)]))
        }
    }
}

/// The streams of a segment that was just made.
struct SegmentParts {
    var documents: [SegmentPiece]
    var terms: [SegmentPiece]
    var postings: [SegmentPiece]
    var positions: [SegmentPiece]
}
