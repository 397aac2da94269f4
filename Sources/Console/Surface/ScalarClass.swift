extension ScalarClass {
    /// The class of a scalar value; numbers beyond Unicode are hidden. O(log n) outside the common blocks.
    @inline(__always)
    static func of(_ value: UInt32) -> ScalarClass {
        // Latin, box drawing, blocks, braille and Han are nearly all that a screen shows.
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

    /// A scalar that never joins the one before it.
    @inline(__always)
    var isPlain: Bool { self == .narrow || self == .wide }

    /// A scalar that shares its cluster at most with what extends it.
    @inline(__always)
    var joinsNothingAfter: Bool { self == .narrow || self == .wide || self == .emoji || self == .textEmoji }

    /// A scalar that can begin an emoji.
    var isEmoji: Bool { self == .emoji || self == .textEmoji }

    /// The columns of a scalar that stands alone.
    var columns: Int {
        switch self {
        case .wide, .emoji, .wideMark, .skinTone, .leadingJamo: 2
        case .narrow, .textEmoji, .spacingMark, .regionalIndicator, .prepend: 1
        case .mark, .variationSelector, .joiner, .trailingJamo, .tag, .hidden: 0
        }
    }
}
