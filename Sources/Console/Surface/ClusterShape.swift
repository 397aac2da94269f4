/// The division of a grapheme cluster into cells.
///
/// An emoji sequence is one wide cell. Any other cluster has one cell per spacing scalar, together with its marks, as
/// in terminals without support for clusters; this matters for Indic and Thai text. Scalars that are invisible, reorder
/// the line, or carry hidden text become escapes: controls, bidi marks, unassigned and private-use scalars, tags
/// outside flags, joiners and variation selectors outside the scripts that use them, and excess marks.
struct ClusterShape {
    enum Piece {
        /// Scalars that share a cell, as a range of `scalars`.
        case cell(Range<Int>, columns: Int)
        /// A mark without a base character.
        case loneMark(Int)
        /// A scalar shown as its code point.
        case escape(Unicode.Scalar)
        /// Marks beyond the limit for one letter, as a count.
        case surplus(Int)

        /// Returns the text drawn for excess marks, such as `<+12>`.
        static func surplusText(_ count: Int) -> String { "<+\(count)>" }
    }

    let scalars: [Unicode.Scalar]
    private(set) var pieces: [Piece] = []
    private(set) var columns = 0

    /// Maximum number of marks on one letter; no writing system needs more.
    private static let maximumMarks = 6

    init(_ cluster: some Sequence<Unicode.Scalar>) {
        scalars = Array(cluster)
        if let width = EmojiSequence.columns(of: scalars) {
            add(.cell(0..<scalars.count, columns: width), columns: width)
        } else {
            placeScalars()
        }
    }

    /// The only scalar of the cluster if it is drawn unchanged, otherwise 0.
    var singleScalar: UInt32 {
        if scalars.count == 1, case .cell = pieces[0] { scalars[0].value } else { 0 }
    }

    private mutating func add(_ piece: Piece, columns width: Int) {
        pieces.append(piece)
        columns += width
    }

    private mutating func placeScalars() {
        /// Index of the first scalar of the current cell; `nil` if no cell can receive a mark.
        var base: Int?
        var surplus = 0
        for (index, scalar) in scalars.enumerated() {
            let kind = ScalarClass.of(scalar.value)
            if let base, kind == .mark, index - base > Self.maximumMarks {
                surplus += 1
            } else if let base, joins(index, kind, base: base) {
                guard case .cell(let range, let width)? = pieces.last else { continue }
                pieces[pieces.count - 1] = .cell(range.lowerBound..<index + 1, columns: width)
            } else if kind == .mark {
                add(.loneMark(index), columns: 1)
                base = nil
            } else if kind.columns == 0 {
                add(.escape(scalar), columns: Escape.columns(of: scalar))
                base = nil
            } else {
                add(.cell(index..<index + 1, columns: kind.columns), columns: kind.columns)
                base = index
            }
        }
        if surplus > 0 {
            add(.surplus(surplus), columns: Piece.surplusText(surplus).utf8.count)
        }
    }

    /// Returns whether a scalar shares the cell that begins at `base`.
    private func joins(_ index: Int, _ kind: ScalarClass, base: Int) -> Bool {
        let letter = scalars[base].value
        switch kind {
        case .mark:
            return true
        case .trailingJamo:
            return ScalarClass.of(letter) == .leadingJamo || (0xAC00...0xD7A3).contains(letter)
        case .variationSelector:
            guard index == base + 1 else { return false }
            return scalars[index].value < 0xE0100 ? letter > 0x20 : ScalarClass.of(letter) == .wide
        case .joiner:
            return Self.usesJoiners(letter) && ScalarClass.of(scalars[index - 1].value) != .joiner
        default:
            return false
        }
    }

    /// Returns whether a letter belongs to Arabic, an Indic, or another script in which joiners change the appearance.
    private static func usesJoiners(_ letter: UInt32) -> Bool {
        (0x0600...0x109F).contains(letter) || (0x1700...0x1BFF).contains(letter) || (0xA800...0xABFF).contains(letter)
            || (0x11000...0x11FFF).contains(letter)
    }
}

/// Emoji of several scalars: flags, keycaps, skin tones, and joined and tagged sequences (Unicode TR 51).
enum EmojiSequence {
    private static let maximumElements = 8

    /// Returns the width of a cluster of at least two scalars; `nil` unless it is a well-formed emoji.
    static func columns(of scalars: [Unicode.Scalar]) -> Int? {
        guard scalars.count > 1 else { return nil }
        let first = ScalarClass.of(scalars[0].value)
        if first == .regionalIndicator {
            return scalars.count == 2 && ScalarClass.of(scalars[1].value) == .regionalIndicator ? 2 : nil
        }
        if scalars[0].isASCII { return keycap(scalars) }
        guard first.isEmoji else { return nil }
        return scalars[0].value == 0x1F3F4 && isTagged(scalars) ? 2 : joined(scalars)
    }

    private static func keycap(_ scalars: [Unicode.Scalar]) -> Int? {
        guard scalars.last?.value == 0x20E3, "0123456789#*".unicodeScalars.contains(scalars[0]) else { return nil }
        if scalars.count == 2 { return 1 }
        return scalars.count == 3 && scalars[1].value == 0xFE0F ? 2 : nil
    }

    private static func isTagged(_ scalars: [Unicode.Scalar]) -> Bool {
        guard scalars.count > 2, scalars.count <= 9, scalars.last?.value == 0xE007F else { return false }
        return scalars[1..<scalars.count - 1].allSatisfy {
            (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
        }
    }

    /// Returns the width of `element (ZWJ element)*`; an element is an emoji with at most one variation selector or
    /// skin tone.
    private static func joined(_ scalars: [Unicode.Scalar]) -> Int? {
        var index = 0
        var elements = 0
        var wide = false
        while index < scalars.count {
            let kind = ScalarClass.of(scalars[index].value)
            guard kind.isEmoji, elements < maximumElements else { return nil }
            wide = wide || kind == .emoji
            elements += 1
            index += 1
            if index < scalars.count {
                let value = scalars[index].value
                if value == 0xFE0F || ScalarClass.of(value) == .skinTone {
                    wide = true
                    index += 1
                } else if value == 0xFE0E {
                    index += 1
                }
            }
            guard index < scalars.count else { break }
            guard scalars[index].value == 0x200D, index + 1 < scalars.count else { return nil }
            index += 1
        }
        return wide || elements > 1 ? 2 : 1
    }
}
