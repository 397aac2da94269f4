/// Walks a posting list upwards, a window of documents or a document at a time.
struct PostingCursor {
    unowned(unsafe) let list: PostingList
    /// How often the term counts.
    let factor: Double
    /// What is decoded: the whole list or a block.
    private var documents: UnsafePointer<UInt32>
    private var weights: UnsafePointer<Double>
    private var index = 0
    private var end = 0
    /// Which block comes next, and of long lists which one is decoded.
    private var block = 0
    private var decoded = -1
    private let buffer: UnsafeMutableRawPointer?
    /// The greatest contribution within the window that was asked for last.
    private(set) var bound = 0.0

    init(_ list: PostingList, factor: Double) {
        self.list = list
        self.factor = factor
        if let whole = list.documents, let weights = list.weights {
            documents = UnsafePointer(whole)
            self.weights = UnsafePointer(weights)
            end = list.count
            buffer = nil
        } else {
            let size = SegmentWriter.blockSize
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: 12 * size, alignment: 64)
            weights = UnsafePointer(buffer.bindMemory(to: Double.self, capacity: size))
            documents = UnsafePointer((buffer + 8 * size).bindMemory(to: UInt32.self, capacity: size))
            self.buffer = buffer
        }
    }

    func deallocate() { buffer?.deallocate() }

    /// Goes to the first posting at or after a document, or to the block that has it.
    @inline(__always)
    private mutating func skip(to document: Int) {
        while block < list.blockCount, Int(list.lasts[block]) < document { block += 1 }
    }

    /// Sets ``bound`` for the documents of a window.
    ///
    /// - Returns: A document before which there is none from `first` on.
    mutating func enter(_ first: Int, _ last: Int) -> Int {
        skip(to: first)
        bound = 0
        guard block < list.blockCount else { return Int.max }
        var next = block == 0 ? 0 : Int(list.lasts[block - 1]) + 1
        if buffer == nil {
            index = Self.lowerBound(documents, max(index, block * SegmentWriter.blockSize), end, first)
            next = Int(documents[index])
        }
        next = max(next, first)
        guard next <= last else { return next }
        var most = 0.0
        var reached = block
        while reached < list.blockCount {
            most = max(most, list.maxima[reached])
            if Int(list.lasts[reached]) >= last { break }
            reached += 1
        }
        bound = most * factor
        return next
    }

    /// Adds the contributions to the documents of a window.
    mutating func add(
        to sums: UnsafeMutablePointer<Double>, _ first: Int, _ last: Int
    ) throws(SegmentError) {
        if buffer == nil {
            addRun(to: sums, first, last)
            return
        }
        while block < list.blockCount {
            try load(first)
            addRun(to: sums, first, last)
            if index < end { return }
            block += 1
        }
    }

    @inline(__always)
    private mutating func addRun(to sums: UnsafeMutablePointer<Double>, _ first: Int, _ last: Int) {
        let shifted = sums - first
        let after =
            index < end && Int(documents[end - 1]) <= last ? end : Self.lowerBound(documents, index, end, last + 1)
        if factor == 1 {
            for place in index..<after { shifted[Int(documents[place])] += weights[place] }
        } else {
            for place in index..<after { shifted[Int(documents[place])] += weights[place] * factor }
        }
        index = after
    }

    /// Decodes the current block of a long list, unless it is decoded already, and goes to a document in it: windows
    /// may have been passed over since.
    private mutating func load(_ document: Int) throws(SegmentError) {
        if decoded != block {
            try list.read(block, UnsafeMutablePointer(mutating: documents), UnsafeMutablePointer(mutating: weights))
            decoded = block
            end = list.countOfBlock(block)
            index = 0
        }
        index = Self.lowerBound(documents, index, end, document)
    }

    /// Returns the contribution to a document's score, `nil` if it lacks the term; documents must ascend from call to
    /// call.
    mutating func contribution(to document: Int) throws(SegmentError) -> Double? {
        if buffer != nil {
            skip(to: document)
            guard block < list.blockCount else { return nil }
            try load(document)
        }
        index = Self.lowerBound(documents, index, end, document)
        guard index < end, Int(documents[index]) == document else { return nil }
        return weights[index] * factor
    }

    /// Returns the first place from `low` on whose document is not below `document`: galloping, then halving.
    @inline(__always)
    private static func lowerBound(
        _ documents: UnsafePointer<UInt32>, _ low: Int, _ end: Int, _ document: Int
    ) -> Int {
        var low = low
        guard low < end, Int(documents[low]) < document else { return low }
        var step = 1
        while low + step < end, Int(documents[low + step]) < document {
            low += step
            step <<= 1
        }
        var high = min(low + step, end)
        low += 1
        while low < high {
            let middle = (low + high) >> 1
            if Int(documents[middle]) < document { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
