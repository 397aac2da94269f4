/// A text that has been changed, and where each of its bytes comes from.
package struct AlignedText {
    package typealias Span = EncoderState.Span

    package var bytes: [UInt8]
    /// Original bytes of each byte; `nil` if not requested.
    package var origins: [Span]?
    /// Whether nothing of the original stands before it.
    package var startsText: Bool

    /// The text as it is, at `offset` of the original.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, tracking: Bool) {
        self.bytes = Array(bytes)
        startsText = offset == 0
        origins = tracking ? (0..<bytes.count).map { Span(start: offset + $0, end: offset + $0 + 1) } : nil
    }

    private init(capacity: Int, tracking: Bool, startsText: Bool) {
        bytes = []
        self.startsText = startsText
        bytes.reserveCapacity(capacity)
        origins = tracking ? [] : nil
        origins?.reserveCapacity(capacity)
    }

    /// An empty text to be made from this one.
    package func rewritten() -> AlignedText {
        AlignedText(capacity: bytes.count + 16, tracking: origins != nil, startsText: startsText)
    }

    package var count: Int { bytes.count }

    /// Appends `range` of `source` unchanged.
    package mutating func append(_ source: AlignedText, _ range: Range<Int>) {
        bytes.append(contentsOf: source.bytes[range])
        if origins != nil, let from = source.origins { origins!.append(contentsOf: from[range]) }
    }

    /// Appends bytes that stand for `range` of `source`; where it is empty, for nothing at its place.
    package mutating func append(_ new: some Collection<UInt8>, for range: Range<Int>, of source: AlignedText) {
        bytes.append(contentsOf: new)
        if origins != nil { origins!.append(contentsOf: repeatElement(source.origin(range), count: new.count)) }
    }

    package mutating func append(scalar: UInt32, for range: Range<Int>, of source: AlignedText) {
        let before = bytes.count
        bytes.append(scalar: scalar)
        if origins != nil {
            origins!.append(contentsOf: repeatElement(source.origin(range), count: bytes.count - before))
        }
    }

    /// The bytes of the original that `range` stands for.
    package func origin(_ range: Range<Int>) -> Span {
        guard let origins, !origins.isEmpty else { return Span(start: range.lowerBound, end: range.upperBound) }
        if range.isEmpty {
            let place = range.lowerBound < count ? origins[range.lowerBound].start : origins[count - 1].end
            return Span(start: place, end: place)
        }
        let start = origins[range.lowerBound].start
        return Span(start: start, end: max(origins[range.upperBound - 1].end, start))
    }

    /// A part as a text of its own.
    package func part(_ range: Range<Int>) -> AlignedText {
        var part = rewritten()
        part.append(self, range)
        part.startsText = startsText && range.lowerBound == 0
        return part
    }

    /// Calls `body` with each scalar and its bytes.
    package func forEachScalar(_ body: (UInt32, Range<Int>) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var index = 0
            while index < buffer.count {
                let (value, length) = scalar(base, at: index, end: buffer.count)
                body(value, index..<index + length)
                index += length
            }
        }
    }

    /// A text in which each scalar is kept, dropped or replaced.
    package func mapScalars(_ change: (UInt32) -> ScalarChange) -> AlignedText {
        var result = rewritten()
        forEachScalar { value, range in
            switch change(value) {
            case .keep: result.append(self, range)
            case .drop: break
            case .replace(let scalar): result.append(scalar: scalar, for: range, of: self)
            case .text(let text): result.append(text.utf8, for: range, of: self)
            }
        }
        return result
    }

    package var isASCII: Bool { bytes.withUnsafeBufferPointer { isASCIIText($0) } }
}

/// What becomes of a scalar.
package enum ScalarChange {
    case keep
    case drop
    case replace(UInt32)
    case text(String)
}

/// Whether all bytes are below 0x80. O(n), eight bytes at a time.
package func isASCIIText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = text.baseAddress else { return true }
    let raw = UnsafeRawPointer(base)
    var index = 0
    var bits: UInt64 = 0
    while index &+ 8 <= text.count {
        bits |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index &+= 8
    }
    while index < text.count {
        bits |= UInt64(text[index])
        index &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
}
