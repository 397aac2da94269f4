/// One grapheme cluster of a text as it will be drawn.
struct Cluster {
    /// Its UTF-8 bytes.
    var range: Range<Int>
    /// The columns it takes; more than 2 where it must be escaped or spans several cells.
    var columns: Int
    /// The scalar, where it is one that is drawn as it is; 0 otherwise.
    var scalar: UInt32
    /// How it falls into cells, where that had to be worked out.
    var shape: ClusterShape?
}

/// Walks over the grapheme clusters of UTF-8 text, with the columns each takes.
///
/// Single scalars that cannot join their neighbors are taken on a fast path; only the runs between them go through
/// Swift's segmentation. Measuring and drawing both walk with it, so that they cannot disagree.
struct ClusterScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Clusters of a run that is already segmented, in reverse.
    private var pending: [Cluster] = []

    /// Bounds the work on a cluster of endless combining marks: a run is cut there.
    private static let longestRun = 256

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether `next` has nothing more.
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
        case let kind where kind.joinsNothingAfter && standsAlone(before: after):
            position = after
            return Cluster(range: start..<after, columns: kind.columns, scalar: value)
        default:
            break
        }
        segmentRun()
        return pending.popLast()
    }

    /// Whether the scalar at `offset` begins a cluster of its own.
    private func standsAlone(before offset: Int) -> Bool {
        guard offset < bytes.count else { return true }
        // Controls end a cluster too, and Latin letters never extend one.
        if bytes[offset] < 0xCC { return true }
        switch ScalarClass.of(UTF8Reading.scalar(in: bytes, at: offset).value) {
        case .narrow, .wide, .emoji, .textEmoji, .regionalIndicator, .leadingJamo, .prepend, .hidden: return true
        case .mark, .spacingMark, .wideMark, .variationSelector, .joiner, .skinTone, .trailingJamo, .tag: return false
        }
    }

    /// Segments from here to the next place where two plain scalars meet.
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
        // Where the run was cut by its bound, its last cluster may go on.
        if end < bytes.count, end - start >= Self.longestRun, clusters.count > 1 {
            end = clusters.removeLast().range.lowerBound
        }
        position = end
        pending = clusters.reversed()
    }
}

/// Reads scalars from UTF-8 that a `String` vouches for.
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
