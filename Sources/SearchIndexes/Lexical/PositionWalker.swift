/// Walks a term's postings in one field of a segment with frequencies and positions, upwards.
struct PositionWalker {
    private let segment: LexicalSegment
    private let blocks: PostingBlocks
    private var block = 0
    private var decoded = -1
    private var documents = [UInt32](repeating: 0, count: SegmentWriter.blockSize)
    private var frequencies = [UInt32](repeating: 0, count: SegmentWriter.blockSize)
    private var places: [[UInt32]]?

    /// Creates a walker for a term; `nil` if the segment does not contain the term.
    init?(_ segment: LexicalSegment, field: Int, term: String) throws(SegmentError) {
        guard let record = try segment.dictionary.find([UInt8(field)] + term.utf8) else { return nil }
        self.segment = segment
        blocks = try segment.blocks(of: record)
    }

    var count: Int { blocks.count }

    private mutating func decode() throws(SegmentError) {
        guard decoded != block else { return }
        decoded = block
        places = nil
        try documents.withUnsafeMutableBufferPointer { (documents) throws(SegmentError) in
            try frequencies.withUnsafeMutableBufferPointer { (frequencies) throws(SegmentError) in
                try blocks.read(block, documents: documents.baseAddress!, frequencies: frequencies.baseAddress!)
            }
        }
    }

    /// Calls `body` with every document and the term's frequency in it.
    mutating func forEach(_ body: (UInt32, UInt32) -> Void) throws(SegmentError) {
        for index in blocks.blocks.indices {
            block = index
            try decode()
            for place in 0..<blocks.blocks[index].count { body(documents[place], frequencies[place]) }
        }
    }

    /// Where the posting of a document is in its block.
    private mutating func place(of document: UInt32) throws(SegmentError) -> Int? {
        while block < blocks.blocks.count, blocks.blocks[block].last < document { block += 1 }
        guard block < blocks.blocks.count else { return nil }
        try decode()
        let count = blocks.blocks[block].count
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            if documents[middle] < document { low = middle + 1 } else { high = middle }
        }
        return low < count && documents[low] == document ? low : nil
    }

    /// Returns the frequency and positions of the term in a document; `nil` if absent. Documents must ascend from call
    /// to call.
    mutating func find(_ document: UInt32) throws(SegmentError) -> (frequency: Int, positions: [UInt32])? {
        guard let place = try place(of: document) else { return nil }
        if places == nil { try readPositions() }
        return (Int(frequencies[place]), places?[place] ?? [])
    }

    private mutating func readPositions() throws(SegmentError) {
        let current = blocks.blocks[block]
        places = try frequencies.withUnsafeBufferPointer { (frequencies) throws(SegmentError) in
            try segment.positions(
                of: current, frequencies: UnsafeBufferPointer(rebasing: frequencies[..<current.count]))
        }
    }
}

/// Finds the places where terms stand in given distances from each other.
struct PhraseWalker {
    private var walkers: [PositionWalker]
    private let offsets: [UInt32]

    /// - Parameter terms: With their positions in the phrase, the first at 0; at least one.
    /// - Returns: `nil` if a term is not in the segment's field.
    init?(
        _ segment: LexicalSegment, field: Int, terms: [(term: String, offset: Int)]
    ) throws(SegmentError) {
        walkers = []
        for term in terms {
            guard let walker = try PositionWalker(segment, field: field, term: term.term) else { return nil }
            walkers.append(walker)
        }
        offsets = terms.map { UInt32($0.offset) }
    }

    /// Where the phrase begins in a document. Documents ascend from call to call.
    mutating func find(_ document: UInt32) throws(SegmentError) -> [UInt32] {
        var starts: [UInt32] = []
        for index in walkers.indices {
            guard let found = try walkers[index].find(document) else { return [] }
            let offset = offsets[index]
            let own = found.positions.compactMap { $0 >= offset ? $0 - offset : nil }
            if index == 0 {
                starts = own
            } else {
                let there = Set(own)
                starts.removeAll { !there.contains($0) }
            }
            if starts.isEmpty { return [] }
        }
        return starts
    }

    /// Returns the documents that have the phrase, and how often.
    mutating func all() throws(SegmentError) -> [(document: UInt32, frequency: UInt32)] {
        guard let rarest = walkers.indices.min(by: { walkers[$0].count < walkers[$1].count }) else { return [] }
        var candidates: [UInt32] = []
        var walker = walkers[rarest]
        try walker.forEach { document, _ in candidates.append(document) }
        var found: [(document: UInt32, frequency: UInt32)] = []
        for document in candidates {
            let starts = try find(document)
            if !starts.isEmpty { found.append((document, UInt32(starts.count))) }
        }
        return found
    }
}
