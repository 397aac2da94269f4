/// Every occurrence of a text or a pattern becomes another text.
package struct Replacement: Sendable {
    package enum Target: Sendable {
        case text([UInt8])
        case pattern(Pattern)
    }

    package let target: Target
    package let content: [UInt8]

    package init(_ target: Target, with content: [UInt8]) {
        self.target = target
        self.content = content
    }

    package func mayChange(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .text(let wanted) = target else { return !text.isEmpty }
        guard let first = wanted.first else { return false }
        return text.contains(first)
    }

    package func apply(to text: AlignedText) -> AlignedText {
        let ranges: [Range<Int>]
        switch target {
        case .text(let wanted): ranges = Self.occurrences(of: wanted, in: text.bytes)
        case .pattern(let pattern): ranges = pattern.matches(in: text.bytes)
        }
        if ranges.isEmpty { return text }
        var result = text.rewritten()
        var index = 0
        for range in ranges {
            result.append(text, index..<range.lowerBound)
            result.append(content, for: range, of: text)
            index = range.upperBound
        }
        result.append(text, index..<text.count)
        return result
    }

    package static func occurrences(of wanted: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
        guard let first = wanted.first else { return [] }
        var ranges: [Range<Int>] = []
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index + wanted.count <= bytes.count {
                if bytes[index] == first, bytes[index..<index + wanted.count].elementsEqual(wanted) {
                    ranges.append(index..<index + wanted.count)
                    index += wanted.count
                } else {
                    index += 1
                }
            }
        }
        return ranges
    }
}
