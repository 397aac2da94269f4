extension ScalarClass {
    /// Returns the class of a scalar value; values outside Unicode are hidden.
    ///
    /// - Complexity: O(log n) outside the common blocks.
    @inline(__always)
    static func of(_ value: UInt32) -> ScalarClass {
        // Nearly all text on a screen is Latin, box drawing, blocks, braille, or Han.
        if value < 0x300 {
            if value >= 0x20 && value < 0x7F { return .narrow }
            if value > 0xA0 && value != 0xAD && value != 0xA9 && value != 0xAE { return .narrow }
        } else if (value >= 0x2500 && value < 0x25AA) || (value >= 0x2800 && value < 0x2900) {
            return .narrow
        } else if value >= 0x4E00 && value < 0xA000 {
            return .wide
        }
        return search(value)
    }

    private static func search(_ value: UInt32) -> ScalarClass {
        guard value <= 0x10FFFF else { return .hidden }
        return WidthTable.changes.withUnsafeBufferPointer { changes in
            let key = value << 8 | 0xFF
            var low = 0
            var high = changes.count
            while low < high {
                let middle = (low + high) >> 1
                if changes[middle] <= key { low = middle + 1 } else { high = middle }
            }
            return ScalarClass(rawValue: UInt8(truncatingIfNeeded: changes[low - 1])) ?? .hidden
        }
    }

    /// Whether the scalar never joins the previous one.
    @inline(__always)
    var isPlain: Bool { self == .narrow || self == .wide }

    /// Whether the scalar shares its cluster only with scalars that extend it.
    @inline(__always)
    var joinsNothingAfter: Bool { self == .narrow || self == .wide || self == .emoji || self == .textEmoji }

    /// Whether the scalar can begin an emoji.
    var isEmoji: Bool { self == .emoji || self == .textEmoji }

    /// Width of the scalar by itself, in columns.
    var columns: Int {
        switch self {
        case .wide, .emoji, .wideMark, .skinTone, .leadingJamo: 2
        case .narrow, .textEmoji, .spacingMark, .regionalIndicator, .prepend: 1
        case .mark, .variationSelector, .joiner, .trailingJamo, .tag, .hidden: 0
        }
    }
}
