/// A grapheme cluster as drawn.
struct Cluster {
    /// Range of its UTF-8 bytes.
    var range: Range<Int>
    /// Width in columns; more than 2 if the cluster is escaped or spans several cells.
    var columns: Int
    /// The only scalar of the cluster if it is drawn unchanged, otherwise 0.
    var scalar: UInt32
    /// Division into cells, if it was computed.
    var shape: ClusterShape?
}

/// An iterator over the grapheme clusters of UTF-8 text and their widths.
///
/// Scalars that cannot join their neighbors take a fast path; only the runs between them need Swift's segmentation.
/// Measuring and drawing share this iterator, so they always agree.
struct ClusterScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Clusters of a segmented run, in reverse order.
    private var pending: [Cluster] = []

    /// Maximum number of bytes in a run, which limits the work for long sequences of combining marks.
    private static let longestRun = 256

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether all clusters have been returned.
    var isAtEnd: Bool { pending.isEmpty && position == bytes.count }

    mutating func next() -> Cluster? {
        if let cluster = pending.popLast() { return cluster }
        guard position < bytes.count else { return nil }
        let start = position
        let (value, length) = UTF8Reading.scalar(in: bytes, at: start)
        let after = start + length
        switch ScalarClass.of(value) {
        case .hidden:
            position = after
            let columns = Unicode.Scalar(value).map(Escape.columns(of:)) ?? 1
            return Cluster(range: start..<after, columns: columns, scalar: 0)
        case let kind where kind.joinsNothingAfter && isBoundary(at: after):
            position = after
            return Cluster(range: start..<after, columns: kind.columns, scalar: value)
        default:
            break
        }
        segmentRun()
        return pending.popLast()
    }

    /// Returns whether `offset` is certainly a cluster boundary.
    private func isBoundary(at offset: Int) -> Bool {
        guard offset < bytes.count else { return true }
        // Scalars below U+0300 never extend a cluster.
        if bytes[offset] < 0xCC { return true }
        switch ScalarClass.of(UTF8Reading.scalar(in: bytes, at: offset).value) {
        case .narrow, .wide, .emoji, .textEmoji, .regionalIndicator, .leadingJamo, .prepend, .hidden: return true
        case .mark, .spacingMark, .wideMark, .variationSelector, .joiner, .skinTone, .trailingJamo, .tag: return false
        }
    }

    /// Segments the text from the current position to the next boundary between two plain scalars.
    private mutating func segmentRun() {
        let start = position
        var end = start
        var previousIsPlain = false
        while end < bytes.count, end - start < Self.longestRun {
            let (value, length) = UTF8Reading.scalar(in: bytes, at: end)
            let plain = ScalarClass.of(value).isPlain
            if end > start, plain, value < 0x7F || previousIsPlain { break }
            previousIsPlain = plain
            end += length
        }
        let run = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        var offset = start
        var clusters: [Cluster] = []
        for character in run {
            let length = character.utf8.count
            let shape = ClusterShape(character.unicodeScalars)
            clusters.append(
                Cluster(
                    range: offset..<offset + length, columns: shape.columns, scalar: shape.singleScalar, shape: shape))
            offset += length
        }
        // If the limit ended the run, its last cluster may continue.
        if end < bytes.count, end - start >= Self.longestRun, clusters.count > 1 {
            end = clusters.removeLast().range.lowerBound
        }
        position = end
        pending = clusters.reversed()
    }
}

/// A decoder for UTF-8 that a `String` has already validated.
enum UTF8Reading {
    @inline(__always)
    static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(bytes[offset])
        if first < 0x80 { return (first, 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard offset + length <= bytes.count else { return (0xFFFD, bytes.count - offset) }
        var value = first & (0x7F >> UInt32(length))
        for index in 1..<length { value = value << 6 | UInt32(bytes[offset + index]) & 0x3F }
        return (value, length)
    }
}
