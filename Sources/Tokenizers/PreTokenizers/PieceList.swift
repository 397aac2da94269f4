/// A text and the pieces that it has been cut into.
package struct PieceList {
    package var text: AlignedText
    /// Ranges of `text.bytes`, ascending, none of them empty.
    package var pieces: [Range<Int>]

    package init(_ text: AlignedText) {
        self.text = text
        pieces = text.count == 0 ? [] : [0..<text.count]
    }

    /// What becomes of the places where a pattern matches.
    package enum Behavior: String, Sendable {
        case removed = "Removed"
        case isolated = "Isolated"
        case mergedWithPrevious = "MergedWithPrevious"
        case mergedWithNext = "MergedWithNext"
        case contiguous = "Contiguous"
    }

    /// Cuts every piece where `find` matches; `find` gets the bytes of a piece and gives ascending ranges in it.
    package mutating func split(
        _ behavior: Behavior, inverted: Bool = false, find: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
    ) {
        var result: [Range<Int>] = []
        result.reserveCapacity(pieces.count * 2)
        text.bytes.withUnsafeBufferPointer { bytes in
            for piece in pieces {
                let part = UnsafeBufferPointer(rebasing: bytes[piece])
                let matches = find(part)
                if matches.isEmpty, !inverted {
                    result.append(piece)
                } else {
                    Self.cut(piece, matches, behavior, inverted, into: &result)
                }
            }
        }
        pieces = result
    }

    private static func cut(
        _ piece: Range<Int>, _ matches: [Range<Int>], _ behavior: Behavior, _ inverted: Bool,
        into result: inout [Range<Int>]
    ) {
        var segments: [(range: Range<Int>, isMatch: Bool)] = []
        var index = 0
        for match in matches {
            if match.lowerBound > index { segments.append((index..<match.lowerBound, inverted)) }
            segments.append((match, !inverted))
            index = match.upperBound
        }
        if index < piece.count { segments.append((index..<piece.count, inverted)) }
        let first = result.count
        var previous = false
        switch behavior {
        case .isolated:
            for segment in segments { result.append(segment.range) }
        case .removed:
            for segment in segments where !segment.isMatch { result.append(segment.range) }
        case .contiguous:
            for (index, segment) in segments.enumerated() {
                if index > 0, segments[index - 1].isMatch == segment.isMatch, let last = result.last {
                    result[result.count - 1] = last.lowerBound..<segment.range.upperBound
                } else {
                    result.append(segment.range)
                }
            }
        case .mergedWithPrevious:
            for segment in segments {
                if segment.isMatch, !previous, result.count > first, let last = result.last {
                    result[result.count - 1] = last.lowerBound..<segment.range.upperBound
                } else {
                    result.append(segment.range)
                }
                previous = segment.isMatch
            }
        case .mergedWithNext:
            for segment in segments.reversed() {
                if segment.isMatch, !previous, result.count > first, let last = result.last {
                    result[result.count - 1] = segment.range.lowerBound..<last.upperBound
                } else {
                    result.append(segment.range)
                }
                previous = segment.isMatch
            }
            result[first...].reverse()
        }
        for index in first..<result.count {
            let range = result[index]
            result[index] = range.lowerBound + piece.lowerBound..<range.upperBound + piece.lowerBound
        }
    }

    /// Rewrites every piece.
    package mutating func rewrite(_ change: (AlignedText, Range<Int>, inout AlignedText) -> Void) {
        var result = text.rewritten()
        var ranges: [Range<Int>] = []
        for piece in pieces {
            let start = result.count
            change(text, piece, &result)
            if result.count > start { ranges.append(start..<result.count) }
        }
        text = result
        pieces = ranges
    }
}
