internal import Bytes
internal import Synchronization

extension LexicalIndex {
    /// Opens an index that was saved: its documents' labels and its dictionaries are read, postings when they are
    /// needed.
    ///
    /// - Parameter store: Kept for reading; what it has may grow, not change under its keys.
    public convenience init(from store: some SegmentStore & Sendable) throws(SegmentError) {
        let manifest = try store.withSegment(LexicalManifest.key) { (bytes) throws(SegmentError) in
            try LexicalManifest(decoding: bytes)
        }
        let source = Self.source(store)
        var live: [LiveSegment] = []
        for entry in manifest.segments {
            let streams = zip(LexicalSegment.parts, entry.pieces).map { part, sizes in
                var starts = [0]
                for size in sizes { starts.append(starts.last! + size) }
                return SegmentStream(
                    part: part, first: entry.number * SegmentStream.pieceLimit, starts: starts, source: source)
            }
            let segment = try LexicalSegment(
                number: entry.number, streams: streams, fields: manifest.settings.fields.count)
            guard segment.documentCount == entry.documentCount else {
                throw SegmentError(segment.place, problem: "the document count does not match the index")
            }
            var removed = SlotSet()
            if entry.removedCount > 0 {
                removed = try store.withSegment(LexicalManifest.removedKey(entry.number)) {
                    (bytes) throws(SegmentError) in
                    try Self.removed(bytes, segment)
                }
            }
            guard removed.count == entry.removedCount else {
                throw SegmentError(segment.place, problem: "the removed document count does not match the index")
            }
            live.append(LiveSegment(segment, removed: removed))
        }
        self.init(manifest.settings, live, nextNumber: manifest.nextNumber)
    }

    /// Commits, merges, and writes what the store has not yet; takes away what was merged.
    ///
    /// What is in memory stays there until ``attach(_:)``. Where the store's owner gives the changes up, open the index
    /// again.
    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        try commit()
        let settings = settings
        try writing.withLock { (state) throws(SegmentError) in try state.merge() }
        let (live, saved, obsolete, nextNumber) = writing.withLock {
            ($0.live, $0.saved, $0.obsolete, $0.nextNumber)
        }
        publish()
        for segment in obsolete { try Self.remove(segment, from: &store) }
        var manifest = LexicalManifest(settings: settings, nextNumber: nextNumber, segments: [])
        for one in live {
            let segment = one.segment
            if saved[segment.number] == nil { try Self.write(segment, to: &store) }
            if one.removed.count != saved[segment.number] ?? 0 {
                try store.put(LexicalManifest.removedKey(segment.number), Self.encoded(one.removed))
            }
            manifest.segments.append(
                .init(
                    number: segment.number, documentCount: segment.documentCount,
                    pieces: segment.streams.map { zip($0.starts, $0.starts.dropFirst()).map { $1 - $0 } },
                    removedCount: one.removed.count))
        }
        try store.put(LexicalManifest.key, manifest.encoded())
        writing.withLock { $0.markSaved() }
    }

    /// Switches to reading postings from a store, and releases those in memory.
    ///
    /// - Parameter store: Store with the last state that ``save(to:)`` wrote.
    public func attach(_ store: some SegmentStore & Sendable) {
        let source = Self.source(store)
        let live = writing.withLock { state in state.live.filter { state.saved[$0.segment.number] != nil } }
        for one in live { for stream in one.segment.streams { stream.attach(source) } }
    }

    private static func source(_ store: some SegmentStore & Sendable) -> PieceSource {
        { (key) throws(SegmentError) in
            try store.withSegment(key) { (bytes) throws(SegmentError) in SegmentPiece(bytes) }
        }
    }

    private static func write(_ segment: LexicalSegment, to store: inout some SegmentStore) throws(SegmentError) {
        for stream in segment.streams {
            for index in 0..<stream.pieceCount {
                let piece = try stream.piece(index)
                try store.put(stream.key(index), UnsafeRawBufferPointer(start: piece.bytes, count: piece.count))
                withExtendedLifetime(piece) {}
            }
        }
    }

    private static func remove(_ segment: LexicalSegment, from store: inout some SegmentStore) throws(SegmentError) {
        for stream in segment.streams {
            for index in 0..<stream.pieceCount { try store.remove(stream.key(index)) }
        }
        try store.remove(LexicalManifest.removedKey(segment.number))
    }

    private static func encoded(_ removed: SlotSet) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(removed.words.count * 8)
        for word in removed.words { bytes.appendFixed(word) }
        return bytes
    }

    private static func removed(
        _ bytes: UnsafeRawBufferPointer, _ segment: LexicalSegment
    ) throws(SegmentError) -> SlotSet {
        guard bytes.count % 8 == 0, bytes.count <= (segment.documentCount + 63) / 64 * 8 else {
            throw SegmentError(
                LexicalManifest.removedKey(segment.number), problem: "invalid size of \(bytes.count) bytes")
        }
        var set = SlotSet(capacity: segment.documentCount)
        for index in 0..<bytes.count / 8 {
            var rest = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
            while rest != 0 {
                let document = index << 6 | rest.trailingZeroBitCount
                guard document < segment.documentCount else {
                    throw SegmentError(
                        LexicalManifest.removedKey(segment.number), problem: "the list contains missing documents")
                }
                set.insert(document)
                rest &= rest - 1
            }
        }
        return set
    }
}
